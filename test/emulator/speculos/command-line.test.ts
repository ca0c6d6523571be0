import { pbkdf2Sync } from 'node:crypto';
import { readCommandLine, readSeedOption } from '#emulator/speculos/command-line.js';

// Ragger's options: those of its backend, its conftest and its client.
const RAGGER = [
  ...['--model', 'nanosp', '--api-port', '5001', '--apdu-port', '5002', '--deterministic-rng', '50025001'],
  ...['--user-private-key', '00', '--attestation-key', '00', '-p', '--verbose', '-lEthereum:eth.elf'],
  ...['--log-level', 'usb:DEBUG', '--log-level', 'seph:INFO', '--display', 'headless', 'build/app.elf'],
];

test('parses a command line of Ragger', () => {
  expect(readCommandLine(RAGGER)).toMatchObject({
    seed: undefined,
    server: { apiPort: 5001, apduPort: 5002, host: undefined, allowedHosts: undefined },
  });
});

test.each([
  [['--seed', `hex:${'00'.repeat(64)}`], { seed: `hex:${'00'.repeat(64)}` }],
  [['--see=hex:00'], { seed: 'hex:00' }],
  [['-shex:00'], { seed: 'hex:00' }],
  [['--api-port=0'], { server: { apiPort: 0, apduPort: 9999 } }],
  [['--api-port=auto', '--apdu-port', 'auto'], { server: { apiPort: 'auto', apduPort: 'auto' } }],
  [['--auto', '{}'], {}],
  [
    ['--host', '0.0.0.0', '--allow-host', 'signer', '--allow-host', 'signer.test'],
    { server: { host: '0.0.0.0', allowedHosts: ['signer', 'signer.test'] } },
  ],
  [['--load-nvram', '--save-nvram'], { 'load-nvram': true, 'save-nvram': true }],
  [['--automation', 'file:a.json'], { automation: 'file:a.json' }],
  [['--keystore', '--noise', 'n', '--vault=v'], { keystore: true, noise: 'n', vault: 'v' }],
])('reads %j as argparse does', (words, wanted) => {
  // "--auto" is ambiguous.
  const read = () => readCommandLine([...words, 'app.elf']);
  if (words[0] === '--auto') expect(read).toThrow("'--auto'");
  else expect(read()).toMatchObject(wanted);
});

test.each([
  [['--model', 'stax', 'app.elf'], /touch/],
  [['--vnc-port', '5900', 'app.elf'], /--vnc-port.*REST/],
  [['--api-port', '70000', 'app.elf'], /--api-port/],
  [['--allow-host', 'http://signer', 'app.elf'], /--allow-host must be a host name/],
  [['--nonsense', 'app.elf'], /--nonsense/],
  [['--model', 'nanosp'], /app\.elf/],
  [['a.elf', 'b.elf'], /app\.elf/],
])('reports an error for %j', (words, message) => {
  expect(() => readCommandLine(words)).toThrow(message);
});

/** Speculos accepts any words, without checking the list or the checksum. */
const seedOf = (words: string) =>
  `hex:${Buffer.from(pbkdf2Sync(words, 'mnemonic', 2048, 64, 'sha512')).toString('hex')}`;

test.each([
  ['', undefined],
  ['speculos.py --display headless -m nanox app.elf', undefined],
  ['speculos.py -s "one two three" -m nanosp app.elf -l lib:app', seedOf('one two three')],
  ["--seed 'one two' --model nanosp", seedOf('one two')],
  ['--seed=hex:00ff -m nanosp', 'hex:00ff'],
  ['--seed="one two" -m nanosp', seedOf('one two')],
  ['-s "one" -s "two"', seedOf('two')],
  ['app.elf -s', undefined],
])('reads the seed of %j', (command, seed) => {
  expect(readSeedOption(command)).toBe(seed);
});

test('makes the seed that BIP-39 derives from an invalid mnemonic, in its normal form', () => {
  // From BIP-39's list of Japanese vectors, whose words are not in the English list.
  const mnemonic = `${'\u3042\u3044\u3053\u304f\u3057\u3093\u3000'.repeat(11)}\u3042\u304a\u305e\u3089`;
  expect(readSeedOption(`-s "${mnemonic}"`)).toBe(seedOf(mnemonic.normalize('NFKD')));
});
