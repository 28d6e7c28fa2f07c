// Numbers orders, each exactly once even after failures: node checkout.mjs order-9001 order-9002
//
// The order's own id is the key. A key always gets the same number. After any failure, even a crash of this program, run it again.
import { Numera } from '../javascript/numera.js'; // With the package installed: from 'numera'.

const sequence = process.env.NUMERA_SEQUENCE ?? 'shop/order';
const numera = new Numera({ url: process.env.NUMERA_URL ?? 'http://127.0.0.1:7071/api', functionKey: process.env.NUMERA_KEY });

for (const key of process.argv.slice(2)) {
  const { first, texts } = await numera.next(sequence, { key });
  console.log(`${key} ${texts ? texts[0] : first}`);
}
