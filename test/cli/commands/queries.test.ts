import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  chainGateway,
  GENESIS,
  hash,
  OTHER,
  OWN,
  PUBLISHED_SHA256,
} from '../../../testkit/gateway/chain-answers.js';
import { answer, type FakeGateway } from '../../../testkit/gateway/fake-gateway.js';
import { type CliResult, runCommand } from '../../../testkit/process/cli.js';
import { openTestDirectory } from '../../../testkit/process/temporary-directory.js';

let gateway: FakeGateway;
let api: string;
beforeAll(async () => {
  gateway = chainGateway();
  api = await gateway.start();
});
afterAll(() => gateway.stop());

const run = (...words: string[]) => runCommand(words, { env: { ZBC_SIGNER_API: api } });

/** Runs a command with and without `--json`. */
async function runBoth(
  ...words: string[]
): Promise<{ text: string; json: Record<string, unknown>; digits: string }> {
  const results = await Promise.all([run(...words), run(...words, '--json')]);
  expect(results.map(({ code, stderr }: CliResult) => [code, stderr])).toEqual([
    [0, ''],
    [0, ''],
  ]);
  const [text, digits] = results.map(({ stdout }) => stdout) as [string, string];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the output must not contain these characters.
  expect(text + digits).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  return { text, json: JSON.parse(digits), digits };
}

/** Returns the first line of each entry. */
const headings = (text: string) => text.split('\n\n').map(entry => entry.split('\n')[0]);

describe('history', () => {
  test('merges transactions and movements, unconfirmed ones first, then the newest block', async () => {
    const { text, json } = await runBoth('history');
    expect(headings(text)).toEqual([
      '2027-01-15 08:00:00 UTC  mempool  1.5 ZBC',
      '2027-01-15 08:00:10 UTC  block 9  refund of 3 ZBC',
      '2027-01-15 08:00:00 UTC  block 9  2.5 AMBER (token 1)',
      '2027-01-15 08:00:05 UTC  block 8  [31mEVIL of 5 atomic units of token 77',
      `2027-01-15 08:00:00 UTC  block 7  rejected the escrow ${hash(7)}`,
      '2027-01-15 08:00:00 UTC  block 6  ScheduledTransfer',
    ]);
    expect(text).toContain('message  invoice 42');
    expect(json.entries).toMatchObject([
      {
        entry: 'transaction',
        transaction_hash: hash(1),
        amount: 150_000_000,
        fee: 2_500_000,
        status: 'mempool',
      },
      { entry: 'movement', kind: 'refund', token_id: '0', amount: 300_000_000, block_height: 9 },
      { entry: 'transaction', token_id: '1', amount: 25_000, sender: OTHER, recipient: OWN },
      { entry: 'movement', token_id: '77', amount: 5 },
      { entry: 'transaction', approval: 'reject', escrowed_transaction_hash: hash(7) },
      { entry: 'transaction', transaction_type: 29 },
    ]);
  });

  test('of an account marks entries as incoming or outgoing, and omits the entries of other accounts', async () => {
    const { json } = await runBoth('history', '--address', OWN.toLowerCase());
    expect(json).toMatchObject({
      address: OWN,
      entries: [
        { direction: 'out', transaction_hash: hash(1) },
        { entry: 'movement', account: OWN },
        { direction: 'in', transaction_hash: hash(2) },
        { direction: 'out', transaction_hash: hash(3) },
      ],
    });
  });
});

test('tokens lists all tokens, and shows one token', async () => {
  const [all, one] = await Promise.all([runBoth('tokens'), runBoth('tokens', '-42')]);
  expect(all.digits).toContain('"supply":9223372036854775807');
  expect(all.text).toMatch(/^1 +AMBER +Amber +4 +922337203685477\.5807$/m);
  expect(one.json).toEqual({ token_id: '-42', symbol: 'ZBC', name: 'not the coin', decimals: 0, supply: 12 });
});

test('markets and order books use the units of their tokens, with the best prices adjacent', async () => {
  const [markets, book] = await Promise.all([runBoth('markets'), runBoth('orderbook', '-9007199254740995')]);
  expect(markets.digits).toContain('"market_id":"-9007199254740995"');
  expect(markets.text).toMatch(/^-9007199254740995 +AMBER \(token 1\) +1\.5 ZBC +2\.5$/m);
  expect(book.text.match(/^(sell|buy).*ZBC/gm)).toEqual([
    'sell  1.7 ZBC',
    'sell  1.6 ZBC',
    'buy   1.4 ZBC',
    'buy   1.3 ZBC',
  ]);
  expect(book.json).toMatchObject({ asks: [{ price: 160_000_000 }, {}], bids: [{ price: 140_000_000 }, {}] });
});

test('offers show what is offered and wanted, and a token with the symbol of the coin keeps its id', async () => {
  const { text, json } = await runBoth('offers');
  expect(text).toMatch(
    /Gives +2\.5 AMBER \(token 1\)\n +1 ZBC\nWants +7 ZBC \(token -42\)\nUntil +2027-01-15 08:00:00 UTC/,
  );
  expect(json).toEqual({
    offers: [
      {
        offer_id: '-9007199254740995',
        account: OWN,
        gives: [
          { token_id: '1', amount: 25_000 },
          { token_id: '0', amount: 100_000_000 },
        ],
        wants: [{ token_id: '-42', amount: 7 }],
        expires_at: 1_800_000_000,
        status: 'open',
      },
    ],
  });
});

test('block shows the newest block, or the block at a height', async () => {
  const [newest, seventh] = await Promise.all([runBoth('block'), runBoth('block', '7')]);
  expect(newest.digits).toContain('"height":9007199254740995');
  expect(seventh.json).toMatchObject({
    height: 7,
    block_hash: hash(8),
    transactions: [{ transaction_hash: hash(3) }],
  });
  expect(seventh.text).toContain(`rejected the escrow ${hash(7)}`);
});

test('node info shows the node, and node list shows the nodes of one kind', async () => {
  const [info, nodes, relays] = await Promise.all([
    runBoth('node', 'info'),
    runBoth('node', 'list'),
    runBoth('node', 'list', '--kind', 'relays'),
  ]);
  expect(info.json).toMatchObject({
    genesis_hash: GENESIS,
    signing_version: 2,
    height: 9,
    version: '[31mEVIL',
  });
  expect(info.text).toMatch(/^Network +UNKNOWN CHAIN abababab$/m);
  expect(nodes.text).toMatch(/^203\.0\.113\.7:8884 +0\.4\.0 +5 +4{64}$/m);
  expect(relays.json).toEqual({ relays: [{ public_key: hash(4), address: '[31mEVIL', rate: 1000 }] });
});

test('gateway status shows which nodes answer', async () => {
  const { text, json } = await runBoth('gateway', 'status');
  expect(json).toMatchObject({
    mode: 'private',
    domain: 'gateway.example',
    nodes: [
      { answers: true, routed: false, cordoned: true },
      { answers: false },
      { answers: true, routed: false },
    ],
  });
  expect(text).toMatch(/^203\.0\.113\.7:8884 +full +answers, cordoned$/m);
  expect(text).toMatch(/^203\.0\.113\.9:8884 +full +answers, gets no requests$/m);
  expect(text).toMatch(/^203\.0\.113\.8:8885 +archival +does not answer$/m);
  expect(text).toMatch(/^Memory +1024 MiB free$/m);
});

test('parallel requests to an unreachable gateway print each retry once', async () => {
  const { code, stderr } = await runCommand(['gateway', 'status', '--api', 'http://127.0.0.1:2']);
  const tries = stderr.match(/retrying in \S+/g);
  expect({ code, tries }).toEqual({
    code: 8,
    tries: ['retrying in 0.2', 'retrying in 0.4', 'retrying in 0.8'],
  });
});

describe('relay check', () => {
  test('prints OK if relay and node are on the same chain', async () => {
    const { text, json } = await runBoth('relay', 'check');
    expect(text).toContain('OK: relay and node are on UNKNOWN CHAIN abababab');
    expect(json).toMatchObject({ same_chain: true, genesis_hash: GENESIS });
  });

  test('fails with both hashes if they are not', async () => {
    const own = chainGateway();
    const info = `{"genesis_hash":"${hash(5)}","height":1}`;
    const node = await own.on('GET /api/v1/node/info', answer(info)).start();
    const { code, stdout } = await run('relay', 'check', '--node', node, '--json');
    await own.stop();
    expect(code).toBe(10);
    expect(JSON.parse(stdout).error).toMatchObject({
      code: 'RELAY_CHAIN_MISMATCH',
      relay_genesis_hash: GENESIS,
      genesis_hash: hash(5),
    });
  });

  test('fails at a gateway without a relay', async () => {
    const none = '{"success":false,"error":"This gateway has no relay","code":404}';
    const other = chainGateway().on('GET /relay/info', answer(none, 404));
    const { code, stderr } = await run('relay', 'check', '--api', await other.start());
    await other.stop();
    expect([code, stderr]).toEqual([14, 'error: this gateway has no relay\n']);
  });
});

describe('verify', () => {
  const directory = openTestDirectory();
  beforeAll(() => {
    writeFileSync(join(directory, 'good'), 'published\n');
    writeFileSync(join(directory, 'bad'), 'published\n\n');
  });

  test('prints the release of a published file', async () => {
    const { text, json } = await runBoth('verify', join(directory, 'good'));
    expect(json).toMatchObject({
      published: true,
      version: '0.4.1',
      arch: 'linux-x64',
      sha256: PUBLISHED_SHA256,
    });
    expect(text).toContain('yes: zbc-node.tar.gz of release 0.4.1');
  });

  test('rejects any other file, and a directory', async () => {
    const [bad, notFile] = await Promise.all([
      run('verify', join(directory, 'bad'), '--json'),
      run('verify', directory),
    ]);
    expect(bad.code).toBe(11);
    expect(JSON.parse(bad.stdout).error.code).toBe('NOT_PUBLISHED');
    expect(notFile).toMatchObject({ code: 2, stderr: `error: cannot read ${directory}: EISDIR\n` });
  });

  test('releases lists the same hash', async () => {
    const { text, json } = await runBoth('releases');
    expect(text).toContain(PUBLISHED_SHA256);
    expect(json).toMatchObject({ releases: [{ version: '0.4.1', files: [{ sha256: PUBLISHED_SHA256 }] }] });
  });
});

interface Mistake {
  words: string[];
  /** Default: 2. */
  exit?: number;
  error: RegExp;
}

const MISTAKES: Mistake[] = [
  { words: ['history', '--limit', '0'], error: /--limit must be a whole number from 1 to 100/ },
  { words: ['history', '--limit', '101'], error: /--limit must be a whole number from 1 to 100/ },
  { words: ['history', '--address', 'x'], error: /ZBC/ },
  {
    words: ['history', '--address', OWN, '--account', '1'],
    error: /Arguments address and account are mutually exclusive/,
  },
  { words: ['tokens', '5'], exit: 14, error: /the chain has no token 5/ },
  { words: ['tokens', '1e3'], error: /the token must be a signed 64-bit number/ },
  { words: ['orderbook'], error: /\nUsage: zbc-signer orderbook <market> / },
  { words: ['orderbook', '9223372036854775808'], error: /signed 64-bit/ },
  { words: ['block', '8'], exit: 14, error: /the chain has no block 8/ },
  { words: ['block', '-1'], error: /the height must be a whole number/ },
  { words: ['node'], error: /a subcommand is missing: node info, node list, node run/ },
  { words: ['node', 'list', '--kind', 'wallets'], error: /"nodes", "gateways", "relays", "archivals"/ },
  { words: ['relay', 'pay'], error: /Unknown argument: pay/ },
  { words: ['relay'], error: /a subcommand is missing: relay check/ },
  { words: ['verify', '/does/not/exist'], error: /cannot read .*ENOENT/ },
];

test('every mistake has its own error and exit code', async () => {
  const results = await Promise.all(MISTAKES.map(({ words }) => run(...words)));
  for (const [at, { words, exit = 2, error }] of MISTAKES.entries()) {
    const { code, stderr } = results[at]!;
    expect({ words, code }).toEqual({ words, code: exit });
    expect(stderr).toMatch(error);
  }
});

test('faucet reports that a gateway has no faucet', async () => {
  const none = '{"success":false,"error":"Not found","code":404}';
  gateway.on('POST /faucet', answer(none, 404));
  const { code, stdout } = await run('faucet', OWN, '--json');
  expect([code, JSON.parse(stdout).error]).toEqual([
    14,
    expect.objectContaining({ code: 'NO_FAUCET', hint: expect.stringContaining('zbc-signer devnet') }),
  ]);
});
