// Allocates an order number for each shopping cart, exactly once even after failures: node checkout.mjs cart-5cb1 cart-8e51
//
// The key is the cart's id, which the shop knows before the number. A key always gets the same number. After any failure, even a crash of this program, run it again.
import { Numera } from '../javascript/numera.js'; // With the package installed: from '@numera/client'.

const sequence = process.env.NUMERA_SEQUENCE ?? 'shop/order';
const numera = new Numera({ url: process.env.NUMERA_URL ?? 'http://127.0.0.1:7071/api', functionKey: process.env.NUMERA_KEY });

for (const key of process.argv.slice(2)) {
  const { first, texts } = await numera.next(sequence, key);
  console.log(`${key} ${texts ? texts[0] : first}`);
}
