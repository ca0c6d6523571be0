import { pbkdf2Sync } from 'node:crypto';
import { readSpeculosCommand } from '#emulator/speculos/speculos-command.js';

/** Speculos accepts any words, without checking the list or the checksum. */
const seedOf = (words: string) =>
  `hex:${Buffer.from(pbkdf2Sync(words, 'mnemonic', 2048, 64, 'sha512')).toString('hex')}`;

test.each([
  ['', {}],
  ['speculos.py --display headless -m nanox app.elf', { model: 'nanox' }],
  [
    'speculos.py -s "one two three" -m nanosp app.elf -l lib:app',
    { seed: seedOf('one two three'), model: 'nanosp' },
  ],
  ["--seed 'one two' --model nanosp", { seed: seedOf('one two'), model: 'nanosp' }],
  ['--seed=hex:00ff -m nanosp', { seed: 'hex:00ff', model: 'nanosp' }],
  ['--seed="one two" -m nanosp', { seed: seedOf('one two'), model: 'nanosp' }],
  ['-s "one" -s "two"', { seed: seedOf('two') }],
  ['app.elf -s', {}],
])('reads %j', (command, options) => {
  expect(readSpeculosCommand(command)).toEqual(options);
});

test('makes the seed that BIP-39 derives from an invalid mnemonic, in its normal form', () => {
  // From BIP-39's list of Japanese vectors, whose words are not in the English list.
  const mnemonic = `${'\u3042\u3044\u3053\u304f\u3057\u3093\u3000'.repeat(11)}\u3042\u304a\u305e\u3089`;
  expect(readSpeculosCommand(`-s "${mnemonic}"`).seed).toBe(seedOf(mnemonic.normalize('NFKD')));
});
