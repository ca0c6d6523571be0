import { createServer } from 'node:net';
import { runCli } from '../../support/cli.js';
import { answer, FakeGateway } from '../../support/fake-gateway.js';
import { accounts, refusals, transactions } from '../../support/vectors.js';

const ADDRESS = accounts.cases[0]!.address;
const HASH = transactions.cases[0]!.expect.tx_hash;
const KEY = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';

/** A port on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise(resolve => server.close(resolve));
  return port;
}

interface Mistake {
  words: string[];
  exit: number;
  says: RegExp;
  stdin?: string;
}

const to = (address: string) => ['send', '--amount', '1', '--to', address];

/** What a person gets wrong, and what they are told: never a stack trace. */
const MISTAKES: Mistake[] = [
  { words: ['frobnicate'], exit: 2, says: /unknown command frobnicate/ },
  { words: ['sennd'], exit: 2, says: /Did you mean send\?/ },
  { words: ['send', '--amoutn', '1'], exit: 2, says: /unknown option --amoutn\nDid you mean --amount\?/ },
  { words: ['send', '--amount'], exit: 2, says: /--amount needs a value/ },
  { words: ['send', '--amount', '1', '--amount', '2'], exit: 2, says: /--amount is given twice/ },
  { words: ['escrow', 'maybe', HASH], exit: 2, says: /"approve", "reject"/ },
  { words: ['escrow', 'approve'], exit: 2, says: /missing/ },
  { words: to(ADDRESS.replace('EFJA3PEX', 'EFJA3PEY')), exit: 2, says: /checksum/ },
  { words: to(ADDRESS.slice(0, -1)), exit: 2, says: /55 characters after ZBC, 56 wanted/ },
  { words: to(ADDRESS.replace('ZBC', 'ZNK')), exit: 2, says: /ZNK: a node's address/ },
  { words: ['send', '--to', ADDRESS, '--amount', '1,5'], exit: 2, says: /such as 1\.5/ },
  { words: ['send', '--to', ADDRESS, '--amount', '0.000000001'], exit: 2, says: /9 decimals, at most 8/ },
  { words: [...to(ADDRESS), '--escrow-approver', ADDRESS], exit: 2, says: /--escrow-timeout/ },
  { words: ['status', HASH.slice(1)], exit: 2, says: /64 hex digits, not 63/ },
  { words: ['tx', 'decode', 'xyz'], exit: 2, says: /not hexadecimal/ },
  { words: ['address', '--device', 'ftp://x'], exit: 2, says: /the device must be hid, http/ },
  { words: ['address', '--account', '2147483648'], exit: 2, says: /--account must be .* 2147483647/ },
  { words: ['emulator', '-s', 'not a mnemonic'], exit: 2, says: /neither a BIP-39 mnemonic/ },
  { words: ['devnet', '--block-time', '0'], exit: 2, says: /--block-time/ },
  { words: ['send', '--json-input'], stdin: '{', exit: 2, says: /stdin is not JSON/ },
  { words: ['send', '--json-input'], stdin: ' '.repeat(20_000), exit: 2, says: /longer than 16384 bytes/ },
];

test('every mistake has its own words and the exit code of wrong usage', async () => {
  const results = await Promise.all(MISTAKES.map(({ words, stdin = '' }) => runCli(words, { stdin })));
  for (const [at, { words, exit, says }] of MISTAKES.entries()) {
    const { code, stdout, stderr } = results[at]!;
    expect({ words, code }).toEqual({ words, code: exit });
    expect(stdout + stderr).toMatch(says);
    expect(stdout + stderr).not.toMatch(/\n\s+at |unexpected/);
  }
});

describe('a transaction that no signer takes', () => {
  const vector = refusals.cases.find(({ name }) => name === 'one trailing byte')!;

  test('is told with field, offset and reason', async () => {
    const { code, stderr } = await runCli(['tx', 'decode', vector.tx]);
    expect(code).toBe(2);
    expect(stderr).toContain('bytes follow the end of the transaction (message, byte 113)');
  });

  test('is told to programs as one object', async () => {
    const { code, stdout, stderr } = await runCli(['tx', 'decode', vector.tx, '--json']);
    expect(code).toBe(2);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout).error).toMatchObject({
      code: 'TRANSACTION_TRAILING_BYTES',
      field: vector.expect.field,
      offset: 113,
      exit_code: 2,
    });
  });
});

test('no device and no gateway are different words and codes', async () => {
  const port = await closedPort();
  const [http, tcp, gateway] = await Promise.all([
    runCli(['address', '--device', `http://127.0.0.1:${port}`]),
    runCli(['address', '--json'], { env: { ZBC_SIGNER_DEVICE: `tcp://127.0.0.1:${port}` } }),
    runCli(['balance', ADDRESS], { env: { ZBC_SIGNER_API: `http://127.0.0.1:${port}` } }),
  ]);
  expect(http.code).toBe(3);
  expect(http.stderr).toContain(`nothing listens at 127.0.0.1:${port}`);
  expect(tcp.code).toBe(3);
  expect(JSON.parse(tcp.stdout).error.code).toBe('DEVICE_NOT_FOUND');
  expect(gateway.code).toBe(8);
  expect(gateway.stderr).toMatch(/the gateway at .* cannot be reached: ECONNREFUSED/);
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

  test('too old to sign for is told why, on stdout for programs', async () => {
    gateway.on('GET /api/v1/node/info', info(''));
    const { code, stdout } = await runCli(['send', '--json-input', '--api', api], payment());
    expect(code).toBe(10);
    expect(JSON.parse(stdout).error).toMatchObject({ code: 'SIGNING_VERSION' });
  });

  test('of another chain than the one named is told so', async () => {
    gateway.on('GET /api/v1/node/info', info(',"signing_version":2'));
    const words = ['send', '--json-input', '--api', api, '--genesis', '11'.repeat(32)];
    const { code, stdout } = await runCli(words, payment());
    expect(code).toBe(10);
    expect(JSON.parse(stdout).error).toMatchObject({ code: 'WRONG_CHAIN', genesis_hash: HASH });
  });

  test('with an account that holds nothing is told what is needed', async () => {
    gateway.on('GET /api/v1/node/info', info(',"signing_version":2'));
    gateway.on('GET /api/v1/blockchain/estimate-fee', answer('{"minimum_fee":2500000,"timestamp":1}'));
    const { code, stdout } = await runCli(['send', '--json-input', '--api', api], payment());
    expect(code).toBe(13);
    expect(JSON.parse(stdout).error.message).toBe('0.02500001 ZBC needed, 0 ZBC spendable');
  });

  test('that speaks nonsense, refuses, or does not know the hash has a code each', async () => {
    gateway.on(
      `GET /api/v1/transactions/${HASH}/status`,
      answer('hello'),
      answer('{"error":"\\u001b[31mno"}', 400),
    );
    expect((await runCli(['status', HASH, '--api', api])).code).toBe(9);
    const refused = await runCli(['status', HASH, '--api', api]);
    expect(refused.code).toBe(9);
    expect(refused.stderr).toContain('HTTP 400');
    expect(refused.stderr).not.toContain('\u001b');
    expect((await runCli(['status', '00'.repeat(32), '--api', api])).code).toBe(14);
  });

  test.each<[string, object]>([
    ['a key of 31 bytes', { sender_privkey: KEY.slice(2) }],
    ['a key with a public key that is not its own', { sender_privkey: KEY + KEY }],
    ['an amount with a fraction', { amount: 1.5 }],
    ['an amount in a string', { amount: '1' }],
    ['an unknown field', { [KEY]: 1 }],
    ['a wrong recipient', { recipient: KEY }],
  ])('is not asked about %s, and the key is never repeated', async (_name, changes) => {
    const { code, stdout, stderr } = await runCli(['send', '--json-input', '--api', api], payment(changes));
    expect(code).toBe(2);
    expect(stdout + stderr).not.toContain(KEY.slice(2, 20));
    expect(gateway.requests).toEqual([]);
  });
});
