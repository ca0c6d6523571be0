// Drawing of pages, how values are cut into them, hexadecimal and addresses of the shipped module, on any
// characters and bytes. Then the same of modules with a changed constant.
import { readModule } from '../wasm/module.js';
import { Characters } from './characters.js';
import { Drawing } from './drawing.js';

const module = readModule();
const drawing = new Drawing(module);
const characters = new Characters(module);
for (const [name, prove] of [
  ['rows', () => drawing.proveRows()],
  ['lines', () => drawing.proveLines()],
  ['titles', () => drawing.proveTitles()],
  ['large', () => drawing.proveLarge()],
  ['page starts', () => drawing.provePageStarts()],
  ['arrows', () => drawing.proveArrows()],
  ['plain pages', () => drawing.provePlainPages()],
  ['next page', () => drawing.proveNextPage()],
  ['count pages', () => drawing.proveCountPages()],
  ['hex', () => characters.proveHexadecimal()],
  ['address', () => characters.proveAddress()],
] as const) {
  const start = process.cpuUsage();
  prove();
  const { user } = process.cpuUsage(start);
  console.log(name, drawing.tally, Math.round(user / 1000), 'ms');
}
