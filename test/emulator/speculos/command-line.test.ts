import { readCommandLine } from '#emulator/speculos/command-line.js';

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
