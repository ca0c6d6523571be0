import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { LAYOUT_FAULTS } from '../../../testkit/screen/layout.js';
import { eachLook, visitStates } from './states.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** The rules that a page breaks, each with the elements that break it. */
const BROKEN_RULES = `axe.run().then(({ violations }) =>
  violations.map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map(({ target }) => target.join())].join(' ')))`;

test('in every state, the pages keep their scale and cut nothing, and axe finds nothing', async () => {
  const faults: string[] = [];
  let count = 0;
  await visitStates(async (state, page) => {
    await eachLook(page, async look => {
      // A function that reads the size of the window runs a frame later.
      await page.waitForTimeout(50);
      count += 1;
      await page.evaluate(AXE);
      for (const script of [LAYOUT_FAULTS, BROKEN_RULES]) {
        const found = await page.evaluate<string[]>(script);
        faults.push(...found.map(fault => `${state} ${look}: ${fault}`));
      }
    });
  });
  expect(faults).toEqual([]);
  expect(count).toBeGreaterThan(150);
});
