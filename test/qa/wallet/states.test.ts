import { CONTRASTS, type Contrast } from '../../../testkit/screen/contrasts.js';
import { faultsOf } from '../../../testkit/screen/layout.js';
import { eachLook, visitStates } from './states.js';

test('in every state, the pages keep their scale and cut nothing, and axe finds nothing', async () => {
  const faults: string[] = [];
  let count = 0;
  await visitStates(async (state, page) => {
    await eachLook(page, async look => {
      count += 1;
      for (const fault of await faultsOf(page)) faults.push(`${state} ${look}: ${fault}`);
      for (const { text, contrast } of await page.evaluate<Contrast[]>(CONTRASTS)) {
        if (contrast < 4.5) faults.push(`${state} ${look}: the contrast of ${text} is ${contrast}`);
      }
    });
  });
  expect(faults).toEqual([]);
  expect(count).toBeGreaterThan(150);
});
