import dev.numera.client.Numera;

/**
 * Allocates an order number for each shopping cart, exactly once even after failures: {@code java -cp CLIENT
 * Checkout.java cart-5cb1 cart-8e51}
 *
 * <p>The key is the cart's id, which the shop knows before the number. A key always gets the same number. After any
 * failure, even a crash of this program, run it again.
 */
public final class Checkout {
    public static void main(String[] orders) {
        String sequence = System.getenv().getOrDefault("NUMERA_SEQUENCE", "shop/order");
        Numera numera = Numera.at(System.getenv().getOrDefault("NUMERA_URL", "http://127.0.0.1:7071/api"))
                .functionKey(System.getenv("NUMERA_KEY"))
                .build();

        for (String order : orders) {
            System.out.println(order + " " + numera.next(sequence, order).text());
        }
    }
}
