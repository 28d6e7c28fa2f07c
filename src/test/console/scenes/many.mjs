import test from 'node:test';
import { accessible, screenshot, visit } from '../browser.mjs';
import { buildThousands } from '../world.mjs';

test('pages through and filters thirty thousand sequences', async (t) => {
  await buildThousands();
  // Rows of the index without a definition: the page shows their problem, in place of what cannot be read.
  const { page, fill, press, sees } = await visit(t, '#/?scope=many', { failing: [503] });
  await sees('30,000 sequences', 'Page 1 of 600', 's-00049');
  await press('Next');
  await sees('Page 2 of 600', 's-00050');
  await fill('Filter', '29999');
  await sees('1 of 30,000 sequences', 's-29999');
  await accessible(page);
  await screenshot(page, 'thousands');
});
