import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripNames } from '../../../prove/device/strip-names.js';
import { root } from '../../../testkit/repository/repository.js';
import { compileAssembly, outputFile } from '../../../tools/build/compile-assembly.js';

test('stripNames makes a build with the names of functions equal to the shipped build', async () => {
  const shipped = readFileSync(join(root, await outputFile('crypto')));
  const named = (await compileAssembly(root, 'crypto', true)).wasm;
  expect(Buffer.from(named).includes('encodePoint')).toBe(true);
  expect(shipped.includes('encodePoint')).toBe(false);
  expect(stripNames(named).equals(stripNames(shipped))).toBe(true);
});

test('stripNames removes only custom sections', () => {
  const header = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
  const custom = [0x00, 0x02, 0x01, 0x78];
  const types = [0x01, 0x01, 0x00];
  expect([...stripNames(Uint8Array.from([...header, ...custom, ...types]))]).toEqual([...header, ...types]);
});
