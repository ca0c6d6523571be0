// pages: proves the shipped module's drawing, pagination, hexadecimal and addresses, on arbitrary characters
// and bytes. Then refutes copies of the module with a changed constant.
import { refutationOf } from '../control.js';
import { readModule } from '../wasm/module.js';
import { Characters } from './characters.js';
import { Drawing } from './drawing.js';
import { changed } from './faults.js';
import { proveLines, provePlainPages, proveRows } from './lines.js';
import { proveCountPages, proveNextPage, provePageStarts } from './paging.js';
import { proveArrows, proveArrowsOfPages, proveLarge, proveTitles } from './titles.js';

const module = readModule();
const drawing = new Drawing(module);
for (const prove of [proveRows, proveLines, proveTitles, proveLarge, provePageStarts]) prove(drawing);
for (const prove of [proveArrows, proveArrowsOfPages, provePlainPages, proveNextPage, proveCountPages])
  prove(drawing);
const characters = new Characters(module);
characters.proveHexadecimal();
characters.proveAddress();
console.log(
  `lines, marks, inverse cells, ${drawing.titles().length} titles with page numbers, large type, arrows:`,
);
console.log(`${drawing.tally.runs} runs: each pixel is that of its glyph, on any frame`);
console.log(
  'each page begins where the lines of the previous page end; hexadecimal and addresses are right for any bytes',
);
console.log(`${drawing.tally.accesses + characters.accesses} accesses, each within its buffer`);

/** The expected number of constants without an effect, among those that may have no effect. */
const IDLE = 30;
let [refuted, idle] = [0, 0];
for (const { place, module: copy, proofs, isIdle } of changed(module)) {
  const found = refutationOf(() => {
    for (const prove of proofs) prove(new Drawing(copy, drawing), new Characters(copy));
  });
  if (found !== undefined) refuted++;
  else if (isIdle) idle++;
  else {
    console.error(`the planted fault was not refuted: ${place}`);
    process.exitCode = 1;
  }
}
if (idle !== IDLE) {
  console.error(`${idle} changed constants have no effect, not ${IDLE}`);
  process.exitCode = 1;
}
console.log(`planted faults: ${refuted} refuted; ${idle} other changed constants have no effect`);
