// Takes a picture of the pages in every state, in light and dark, at the widths of a phone and a desktop:
// node dist/test/qa/wallet/pictures.js DIRECTORY
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { eachLook, visitStates } from './states.js';

const [directory = 'dist/pictures'] = process.argv.slice(2);
let count = 0;

mkdirSync(directory, { recursive: true });
await visitStates(async (state, page) => {
  const number = `${(count += 1)}`.padStart(2, '0');
  await eachLook(page, async look => {
    const path = join(directory, `${number}-${state}-${look}.png`);
    const isOverAll = await page.locator('#task').isVisible();
    await page.screenshot({ path, fullPage: !isOverAll });
  });
});
console.log(`${4 * count} pictures in ${directory}`);
