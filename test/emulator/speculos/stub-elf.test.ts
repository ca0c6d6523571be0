import { createRequire } from 'node:module';
import { createStubElf } from '#emulator/speculos/stub-elf.js';

/** The result of Zemu's own parser. */
interface ParsedElf {
  entry: number;
  body: { sections: { name: string; type: string; data: Buffer }[] };
}

const require = createRequire(createRequire(import.meta.url).resolve('@zondax/zemu'));
const elfy: { parse(file: Buffer): ParsedElf } = require('elfy');

test('the stub is an app for a Nano, whose sections name the graphics library', () => {
  const { entry, body } = elfy.parse(Buffer.from(createStubElf()));
  expect(entry).toBe(0xc0de0001);
  expect(body.sections.map(({ name }) => name)).toEqual(['', 'ledger.sdk_graphics', '.shstrtab']);
  expect(body.sections[1]!.data.toString()).toBe('nbgl');
});
