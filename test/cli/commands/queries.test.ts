import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chainGateway, hash, OTHER, OWN, PUBLISHED_SHA256 } from '../../../testkit/gateway/chain-answers.js';
import { answer, type FakeGateway } from '../../../testkit/gateway/fake-gateway.js';
import { type CliResult, runCommand } from '../../../testkit/process/cli.js';
import { openTestDirectory } from '../../../testkit/process/temporary-directory.js';
import { rowsOf } from '../../../testkit/repository/documents.js';
import { readText } from '../../../testkit/repository/repository.js';

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
  test('has the movements of an account, and tells what the blocks do not determine', async () => {
    const [text, digits] = await Promise.all(
      [[], ['--json']].map(json => run('history', '--address', OWN.toLowerCase(), ...json)),
    );
    expect(headings(text!.stdout)[1]).toContain('2.5 AMBER (token 1)');
    const json = JSON.parse(digits!.stdout);
    expect(json).toMatchObject({
      address: OWN,
      from_block: 0,
      determined: false,
      entries: [
        { kind: 'sent', amount: -150_000_000, fee: 2_500_000, status: 'pending', transaction_hash: hash(1) },
        {
          kind: 'received',
          token_id: '1',
          amount: 25_000,
          fee: 0,
          status: 'undetermined',
          counterparty: OTHER,
        },
        { kind: 'rejection', amount: 0, fee: 2_500_000, status: 'undetermined', transaction_hash: hash(3) },
      ],
    });
    expect(headings(text!.stdout).at(-1)?.trim()).toBe('This may not be every movement of the account.');
  });
});

describe('get', () => {
  test('prints the answer of a route, with every digit and without control characters', async () => {
    const [tokens, book, relays] = await Promise.all([
      runBoth('get', '/api/v1/tokens'),
      runBoth('get', '/api/v1/exchange/orderbook?market=-9007199254740995'),
      runBoth('get', '/api/v1/registry/relays'),
    ]);
    expect(tokens.digits).toContain('"supply":9223372036854775807');
    expect(tokens.text).toContain('\n      "supply": 9223372036854775807\n');
    expect(book.digits).toContain('"market_id":-9007199254740995');
    expect(book.text).toContain('"market_id": -9007199254740995,');
    expect(relays.json).toMatchObject({ relays: [{ public_key: hash(4), rate: 1000 }] });
    expect(JSON.parse(tokens.text)).toEqual(tokens.json);
    expect(gateway.requests.some(({ path }) => path.endsWith('?market=-9007199254740995'))).toBe(true);
  });

  test('lists every route of the document that anyone may read and that answers JSON', async () => {
    const { stdout } = await run('get', '--help');
    const listed = [...stdout.matchAll(/^ {2}(\/[^\s?]+)/gm)].map(([, route]) => route!);
    const pages = /^\/(?:admin|faucet|install|wallet|connect|dl|releases\/:version)\b/;
    const documented = rowsOf(readText('docs/gateway/routes.md'))
      .flatMap(([cell]) => /^`GET (\/[^`]+)`$/.exec(cell!)?.[1] ?? [])
      .filter(route => !pages.test(route));
    expect([...new Set(documented)].length).toBeGreaterThan(25);
    expect(listed.sort()).toEqual([...new Set(documented)].sort());
  });

  test('sends nothing to another path', async () => {
    const before = gateway.requests.length;
    const others = [
      '/admin/state',
      '@x.example/api/v1/tokens',
      '/api/v1/tokens/../../../admin/state',
      '/verify/2',
    ];
    for (const { code, stderr } of await Promise.all(others.map(route => run('get', route)))) {
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(' is not a route\n') });
    }
    expect(gateway.requests).toHaveLength(before);
  });

  test('has the exit codes of every command: no record, and a malformed answer', async () => {
    const own = chainGateway().on('GET /api/v1/node/info', answer('{"height":1'));
    const api = await own.start();
    const results = await Promise.all(
      ['/api/v1/blocks/8', '/api/v1/node/info'].map(route => run('get', route, '--api', api, '--json')),
    );
    await own.stop();
    expect(results.map(({ code, stdout }) => [code, JSON.parse(stdout).error.code])).toEqual([
      [14, 'NO_RECORD'],
      [9, 'GATEWAY_MALFORMED'],
    ]);
  });
});

test('parallel requests to an unreachable gateway print each retry once', async () => {
  const { code, stderr } = await runCommand(['balance', OWN, '--api', 'http://127.0.0.1:2']);
  const tries = stderr.match(/retrying in \S+/g);
  expect({ code, tries }).toEqual({
    code: 8,
    tries: ['retrying in 0.2', 'retrying in 0.4', 'retrying in 0.8'],
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
});

interface Mistake {
  words: string[];
  /** Default: 2. */
  exit?: number;
  error: RegExp;
}

const MISTAKES: Mistake[] = [
  { words: ['history', '--limit', '0'], error: /--limit must be a whole number from 1 to 10000/ },
  { words: ['history', '--limit', '10001'], error: /--limit must be a whole number from 1 to 10000/ },
  { words: ['history', '--address', 'x'], error: /ZBC/ },
  {
    words: ['history', '--address', OWN, '--account', '1'],
    error: /Arguments address and account are mutually exclusive/,
  },
  { words: ['get'], error: /\nUsage: zbc-signer get <route> / },
  { words: ['node'], error: /a subcommand is missing: node run/ },
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
