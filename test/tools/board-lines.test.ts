import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readText, root } from '../../testkit/repository.js';

const BOARDS = 'firmware/boards';
const MOST_LINES = 500;
const CODE = /\.(?:c|h|S|ld|mk)$/;

const linesOf = (directory: string, isCounted = (_name: string) => true) =>
  readdirSync(join(root, BOARDS, directory))
    .filter(name => CODE.test(name) && isCounted(name))
    .map(name => readText(`${BOARDS}/${directory}/${name}`).trimEnd().split('\n').length)
    .reduce((total, lines) => total + lines, 0);
const isUsb = (name: string) => name.startsWith('usb');

const rows: [string, number][] = [
  ['`riscv`: UART, flash, start', linesOf('riscv')],
  ['`lm3s6965`: UART, OLED, buttons, flash, clock, start', linesOf('lm3s6965')],
  ['`pico` without USB: SSD1306, buttons, flash, clocks, start', linesOf('pico', name => !isUsb(name))],
  ['USB of `pico`', linesOf('pico', isUsb)],
  ['`serial`, shared by boards with a UART', linesOf('serial')],
  ['`common`, shared by all', linesOf('common')],
  ['`loader`, shared by boards with one', linesOf('loader')],
  ['`pico/loader`: slots, start of an image', linesOf('pico/loader')],
];

test('the document says how many lines each board has', () => {
  const table = rows.map(([what, lines]) => `| ${what} | ${lines} |`).join('\n');
  expect(readText('docs/boards/riscv.md')).toContain(
    `| Directory of \`${BOARDS}\` | Lines |\n|---|---|\n${table}\n`,
  );
});

test.each(['riscv', 'lm3s6965'])(`%s has at most ${MOST_LINES} lines`, board => {
  expect(linesOf(board)).toBeGreaterThan(100);
  expect(linesOf(board)).toBeLessThanOrEqual(MOST_LINES);
});
