import dev.numera.client.Numera;

/**
 * Numbers orders, each once whatever fails: {@code java -cp CLIENT Checkout.java order-9001 order-9002}
 *
 * <p>The order's own id is the key. A key gets the same number forever, so after any failure, a crash of this program
 * too, run it again.
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
