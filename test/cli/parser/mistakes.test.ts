import { createServer } from 'node:net';
import { answer, FakeGateway } from '../../../testkit/gateway/fake-gateway.js';
import { runCli, runCommand, startCli } from '../../../testkit/process/cli.js';
import { accounts, refusals, transactions } from '../../../testkit/repository/vectors.js';

const ADDRESS = accounts.cases[0]!.address;
const HASH = transactions.cases[0]!.expect.tx_hash;
const KEY = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';

/** Returns a port on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise(resolve => server.close(resolve));
  return port;
}

interface Mistake {
  words: string[];
  /** Default: 2. */
  exit?: number;
  error: RegExp;
  stdin?: string;
}

const to = (address: string) => ['send', '--amount', '1', '--to', address];

const NO_PORTS = ['--api-port', '0', '--apdu-port', '0', '--ledger-port', '0'];

/** Invalid command lines, with their error messages. */
const MISTAKES: Mistake[] = [
  { words: ['frobnicate'], error: /Unknown argument: frobnicate/ },
  { words: ['sennd'], error: /Did you mean send\?/ },
  { words: ['--json', 'sned'], error: /"message":"Did you mean send\?"/ },
  { words: ['sned', '--api', 'x', '--amoutn', '1'], error: /Did you mean send\?\n/ },
  { words: ['gateway', 'innit', '--json'], error: /"message":"Did you mean init\?"/ },
  { words: ['tx', '--json'], error: /"a subcommand is missing: tx build, tx sign/ },
  { words: ['tx', 'submit', '--api', 'http://127.0.0.1:1'], error: /it is empty\n.*`tx sign`/ },
  { words: ['send', '--amoutn', '1'], error: /Unknown argument: amoutn\nUsage: zbc-signer send / },
  { words: ['send', '--max-fe', '3'], error: /Unknown arguments: max-fe, / },
  { words: ['send', '--max-fees=3'], error: /Unknown arguments: max-fees, / },
  { words: ['devnet', '--admin-key-fle', 'x'], error: /Unknown arguments: admin-key-fle, / },
  { words: ['emulator', '--api-prot', '3'], error: /Unknown arguments: api-prot, / },
  { words: ['gateway', '--log-levle=x'], error: /Unknown arguments: log-levle, / },
  { words: ['escrow', '--acount-x', '3'], error: /a subcommand is missing: escrow approve/ },
  { words: ['--log-level', '3', 'sned'], error: /Did you mean send\?\n/ },
  { words: ['send', '--amount'], error: /Not enough arguments following: amount/ },
  { words: ['send', '--amount', '1', '--amount', '2'], error: /--amount was given more than once/ },
  { words: ['escrow', 'aprove', HASH], error: /Did you mean approve\?/ },
  { words: ['completion', 'tcsh'], error: /shell, Given: "tcsh", Choices: "bash", "zsh", "fish"\n/ },
  { words: ['send-token', '--to', ADDRESS], error: /Missing required arguments: token, amount\n/ },
  { words: ['escrow', 'approve'], error: /Not enough .*\nUsage: zbc-signer escrow approve <hash> / },
  { words: ['image', 'sign', 'x', '-o'], error: /Not enough arguments following: o/ },
  { words: ['image', 'verify'], error: /Not enough .*\nUsage: zbc-signer image verify <file> / },
  { words: ['image', 'sign', '--counter', '1', '-o', 'x'], error: /\nUsage: zbc-signer image sign <file> / },
  { words: ['image', 'sign', 'x', '-o', 'x'], error: /Missing required arguments: image-version, counter\n/ },
  { words: ['escrow'], error: /a subcommand is missing: escrow approve, escrow reject, escrow list/ },
  { words: ['gateway', 'init', '--mod', 'public'], error: /Unknown argument: mod\n/ },
  { words: ['emulator', '--locked', '--seed', '-'], error: /--locked conflicts with --seed/ },
  { words: ['emulator', '--firmware', '9.9'], error: /cannot read 9\.9: no such file/ },
  { words: ['emulator', '--firmware', 'old.wasm', '--keystore'], error: /--keystore conflicts with --firm/ },
  { words: ['devnet', '--chaos-seed', '1'], error: /--chaos-seed requires --chaos/ },
  { words: ['send', '--', '--to'], error: /Unknown argument: --to\n/ },
  { words: to(ADDRESS.replace('EFJA3PEX', 'EFJA3PEY')), error: /error: --to: .*checksum/ },
  { words: [...to(ADDRESS), '--fee', '1,5'], error: /error: --fee: / },
  {
    words: [...to(ADDRESS), '--escrow-timeout', '1h', '--escrow-approver', 'me'],
    error: /error: --escrow-approver/,
  },
  { words: ['balance', 'me'], error: /error: address: / },
  { words: ['history', '--address', 'me'], error: /error: --address: / },
  { words: ['balance', ADDRESS, '--api', 'gateway'], error: /error: --api: the gateway URL/ },
  {
    words: ['verify-message', 'x', '--address', ADDRESS, '--signature', 'ab'],
    error: /--signature must be 128 hex/,
  },
  { words: ['accounts', '--count', '0'], error: /--count must be .* from 1 to 1000/ },
  { words: to(ADDRESS.slice(0, -1)), error: /55 characters after ZBC, expected 56/ },
  { words: to(ADDRESS.replace('ZBC', 'ZNK')), error: /ZNK: a node's address/ },
  { words: ['send', '--to', ADDRESS, '--amount', '1,5'], error: /--amount: .* such as 1\.5/ },
  { words: ['send', '--to', ADDRESS, '--amount', '0.000000001'], error: /9 decimals, the maximum is 8/ },
  { words: [...to(ADDRESS), '--escrow-approver', ADDRESS], error: /--escrow-timeout/ },
  {
    words: [...to(ADDRESS), '--message', 'é'.repeat(129)],
    error: /--message has 258 bytes, but at most 256/,
  },
  {
    words: [
      ...[...to(ADDRESS), '--escrow-approver', ADDRESS, '--escrow-timeout', '1h'],
      ...['--escrow-instruction', 'x'.repeat(513)],
    ],
    error: /--escrow-instruction has 513 bytes, but at most 512/,
  },
  {
    words: ['balance', ADDRESS, '--api', 'http://127.0.0.1:6000'],
    exit: 8,
    error: /^error: cannot reach the gateway at http:..127.0.0.1:6000: fetch does not allow this port\n/,
  },
  { words: ['status', HASH.slice(1)], error: /64 hex digits, not 63/ },
  { words: ['tx', 'decode', 'xyz'], error: /the text is not hex/ },
  {
    words: ['send-token', '--token', 'amber', '--to', ADDRESS, '--amount', '1'],
    error: /Give the id of the token/,
  },
  { words: ['address', '--device', 'ftp://x'], error: /--device: the device must be hid, usb, or http:\/\// },
  { words: ['address', '--account', '2147483648'], error: /--account must be .* 2147483647/ },
  { words: ['emulator', '-s', 'not a mnemonic'], error: /neither a BIP-39 mnemonic/ },
  { words: ['devnet', '--block-time', '0'], error: /--block-time/ },
  { words: ['devnet', '--block-time', 'x'], error: /--block-time/ },
  { words: ['emulator', '--record', '/nonexistent/x', ...NO_PORTS], error: /cannot write \/nonexistent\/x/ },
  { words: ['emulator', '--coverage', '/dev/null/x'], error: /cannot write to \/dev\/null\/x/ },
  { words: ['emulator', 'coverage', '/nonexistent'], error: /no coverage in \/nonexistent/ },
  { words: ['tx', 'decode', '-'], stdin: '0100', error: /the bytes end early \(transaction type/ },
  { words: ['send', '--json-input'], stdin: '{', error: /stdin is not JSON/ },
  {
    words: ['send', '--json-input'],
    stdin: JSON.stringify({ sender_privkey: '11'.repeat(32), recipient: 'ZBC_AAAA', amount: 1 }),
    error: /recipient: /,
  },
  { words: ['send', '--json-input'], stdin: ' '.repeat(20_000), error: /longer than 16384 bytes/ },
];

test('an invalid command line exits with code 2 and names the word at fault', async () => {
  const results = await Promise.all(MISTAKES.map(({ words, stdin = '' }) => runCommand(words, { stdin })));
  for (const [at, { words, exit = 2, error }] of MISTAKES.entries()) {
    const { code, stdout, stderr } = results[at]!;
    expect({ words, code }).toEqual({ words, code: exit });
    expect(stdout + stderr).toMatch(error);
    expect(stdout + stderr).not.toMatch(/\n\s+at |unexpected/);
  }
});

describe('tx decode of an invalid transaction', () => {
  const vector = refusals.cases.find(({ name }) => name === 'one trailing byte')!;

  test('prints the field, offset and reason', async () => {
    const { code, stderr } = await runCommand(['tx', 'decode', vector.tx]);
    expect(code).toBe(2);
    expect(stderr).toContain('bytes follow the end of the transaction (message, byte 113)');
  });

  test('prints one JSON object with --json', async () => {
    const { code, stdout, stderr } = await runCommand(['tx', 'decode', vector.tx, '--json']);
    expect(code).toBe(2);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout).error).toMatchObject({
      code: 'INVALID_TRANSACTION',
      reason: 'trailing-bytes',
      field: vector.expect.field,
      offset: 113,
      exit_code: 2,
    });
  });
});

describe('standard output', () => {
  const FULL = ['sh', '-c', 'exec "$@" >/dev/full', 'sh'];

  test.each([
    ['the help', ['--help']],
    ['the version', ['--version']],
    ['a result', ['tx', 'decode', transactions.cases[0]!.tx]],
    ['a JSON result', ['tx', 'decode', transactions.cases[0]!.tx, '--json']],
  ])('that is full is an error for %s', async (_name, words) => {
    const { code, stderr } = await runCli(words, { before: FULL });
    expect({ code, stderr }).toEqual({
      code: 17,
      stderr: 'error: cannot write to standard output: ENOSPC\n',
    });
  });

  test('that is full does not change the exit code of a failure', async () => {
    const device = `http://127.0.0.1:${await closedPort()}`;
    const { code, stderr } = await runCli(['address', '--device', device, '--json'], { before: FULL });
    expect(code).toBe(3);
    expect(stderr).toMatch(/^error: cannot write to standard output: ENOSPC\nerror: nothing listens at /);
  });

  test('that was closed by its reader is not an error', async () => {
    const { child, done } = startCli(['--help']);
    child.stdout!.destroy();
    expect(await done).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('that was closed by its reader does not change the exit code of a failure', async () => {
    const { child, done } = startCli(['address', '--device', 'http://127.0.0.1:1', '--json']);
    child.stdout!.destroy();
    expect((await done).code).toBe(3);
  });
});

test('a full standard error changes no exit code', async () => {
  const before = ['sh', '-c', 'exec "$@" 2>/dev/full', 'sh'];
  const { code, stdout } = await runCli(['address', '--device', 'http://127.0.0.1:1', '--json'], { before });
  expect([code, JSON.parse(stdout).error.exit_code]).toEqual([3, 3]);
  expect((await runCli(['nonsense'], { before })).code).toBe(2);
});

test('ZBC_SIGNER_STACK=1 prints the stack of an error', async () => {
  const { code, stderr } = await runCli(['nonsense'], { env: { ZBC_SIGNER_STACK: '1' } });
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^ {4}at /m)]);
});

test('a missing device and a missing gateway have different errors and exit codes', async () => {
  const port = await closedPort();
  const [http, tcp, gateway] = await Promise.all([
    runCommand(['address', '--device', `http://127.0.0.1:${port}`]),
    runCommand(['address', '--json'], { env: { ZBC_SIGNER_DEVICE: `tcp://127.0.0.1:${port}` } }),
    runCommand(['balance', ADDRESS], { env: { ZBC_SIGNER_API: `http://127.0.0.1:${port}` } }),
  ]);
  expect(http.code).toBe(3);
  expect(http.stderr).toContain(`nothing listens at 127.0.0.1:${port}`);
  expect(tcp.code).toBe(3);
  expect(JSON.parse(tcp.stdout).error.code).toBe('DEVICE_NOT_FOUND');
  expect(gateway.code).toBe(8);
  expect(gateway.stderr).toMatch(/cannot reach the gateway at .*: nothing listens there \(ECONNREFUSED\)/);
});

describe('a gateway', () => {
  let gateway: FakeGateway;
  let api: string;
  const payment = (changes: object = {}) => ({
    stdin: JSON.stringify({ sender_privkey: KEY, recipient: ADDRESS, amount: 1, ...changes }),
  });

  beforeEach(async () => {
    gateway = new FakeGateway();
    api = await gateway.start();
  });
  afterEach(() => gateway.stop());

  const info = (rest: string) => answer(`{"genesis_hash":"${HASH}","height":1${rest}}`);

  test('is reported as not being a device', async () => {
    const { code, stderr } = await runCommand(['address', '--device', api]);
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /^error: 127\.0\.0\.1:\d+ is not an emulator's REST address: .*\nCheck the port\./,
    );
  });

  test('that is too old for the signing version is an error, on stdout with --json-input', async () => {
    gateway.on('GET /api/v1/node/info', info(''));
    const { code, stdout } = await runCommand(['send', '--json-input', '--api', api], payment());
    expect(code).toBe(10);
    expect(JSON.parse(stdout).error).toMatchObject({ code: 'SIGNING_VERSION' });
  });

  test('has an exit code for each failure: an invalid response, a refusal, and an unknown hash', async () => {
    gateway.on(
      `GET /api/v1/transactions/${HASH}/status`,
      answer('hello'),
      answer('{"error":"\\u001b[31mno"}', 400),
    );
    expect((await runCommand(['status', HASH, '--api', api])).code).toBe(9);
    const refused = await runCommand(['status', HASH, '--api', api]);
    expect(refused.code).toBe(9);
    expect(refused.stderr).toContain('HTTP 400');
    expect(refused.stderr).not.toContain('\u001b');
    expect((await runCommand(['status', '00'.repeat(32), '--api', api])).code).toBe(14);
  });

  test.each<[string, object]>([
    ['a key of 31 bytes', { sender_privkey: KEY.slice(2) }],
    ['a key followed by a different public key', { sender_privkey: KEY + KEY }],
    ['an amount with a fraction', { amount: 1.5 }],
    ['an amount in a string', { amount: '1' }],
    ['an unknown field', { [KEY]: 1 }],
    ['a wrong recipient', { recipient: KEY }],
  ])('gets no request if the input has %s, and the key is not printed', async (_name, changes) => {
    const { code, stdout, stderr } = await runCommand(
      ['send', '--json-input', '--api', api],
      payment(changes),
    );
    expect(code).toBe(2);
    expect(stdout + stderr).not.toContain(KEY.slice(2, 20));
    expect(gateway.requests).toEqual([]);
  });

  test('gets no request if the input has an unknown field, which the error names', async () => {
    const words = ['send', '--json-input', '--api', api];
    const { code, stdout } = await runCommand(words, payment({ recipent: KEY }));
    expect(code).toBe(2);
    expect(JSON.parse(stdout).error.message).toContain('recipent');
    expect(gateway.requests).toEqual([]);
  });
});
