import { createHash } from 'node:crypto';
import { DEVNET_GENESIS_HASH } from '@zbc-signer/devnet';
import { stringify } from 'lossless-json';
import { Wallet } from '../../../testkit/chain/wallet.js';
import type { HttpReply } from '../../../testkit/network/http.js';
import { type AskedNodes, READ_ROUTES } from './chain-table.js';
import { ContractFixture, type GatewayName, KEY } from './contract-fixture.js';
import type { Fault } from './recorder.js';
import { faultsOf, readJson } from './schema-check.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const SUBMIT = '/api/v1/transactions';
const ERROR = { success: false, error: expect.stringMatching(/./) };

let fixture: ContractFixture;

beforeAll(async () => {
  fixture = await ContractFixture.open();
});
afterAll(() => fixture.close());
beforeEach(() => {
  for (const recorder of [fixture.full, fixture.archival]) recorder.take();
});

const fill = (text: string) =>
  text
    .replaceAll('{alice}', fixture.alice.hex)
    .replaceAll('{hash}', fixture.payment.hash)
    .replaceAll('{height}', fixture.paymentHeight);

/** Returns an expected answer with its placeholders replaced. */
function filled(expected: unknown): unknown {
  if (typeof expected === 'string') return fill(expected);
  if (Array.isArray(expected)) return expected.map(filled);
  if (typeof expected !== 'object' || expected === null || '$$typeof' in expected) return expected;
  return Object.fromEntries(Object.entries(expected).map(([name, value]) => [name, filled(value)]));
}

interface Question {
  gateway?: GatewayName;
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

interface Expected {
  status: number;
  asked?: AskedNodes;
  /** The expected part of the JSON. */
  answer?: object;
  /** The method of the nodes' requests, if it differs from the client's. */
  as?: string;
}

/**
 * Sends a request, and compares the answer with the table and the OpenAPI document, and the nodes' requests
 * with the expected ones.
 */
async function expectAnswer(question: Question, expected: Expected): Promise<HttpReply> {
  const { gateway = 'development', method = 'GET', headers, body } = question;
  const reply = await fixture.ask(gateway, method, fill(question.path), headers, body);
  expectReply(reply, question, expected);
  const { asked = 'nobody', as } = expected;
  const line = `${as ?? method} ${fill(question.path)}`;
  expect(fixture.archival.take()).toEqual(asked.includes('archival') ? [line] : []);
  expect(fixture.full.take()).toEqual(asked.includes('full') ? [line] : []);
  return reply;
}

function expectReply(reply: HttpReply, { method = 'GET', path }: Question, { status, answer }: Expected) {
  const text = reply.body.toString();
  expect([reply.status, text.slice(0, 300)]).toEqual([status, expect.anything()]);
  expect(reply.headers['x-content-type-options']).toBe('nosniff');
  const pathAlone = fill(path).replace(/\?.*/, '');
  expect(faultsOf(method, pathAlone, status, reply.headers['content-type'] ?? '', text)).toEqual([]);
  if (answer !== undefined) {
    expect(readJson(text)).toMatchObject(filled(answer) as object);
  } else if (status >= 400 && method !== 'HEAD') {
    expect(readJson(text)).toEqual({ ...ERROR, code: BigInt(status) });
  }
}

describe.each(READ_ROUTES.map(route => [route.path, route] as const))(
  'GET %s',
  (path, { asked, answer, errors = [] }) => {
    test(`is answered after asking ${asked}`, async () => {
      await expectAnswer({ path }, { status: 200, asked, answer });
    });

    test('is answered without a body for HEAD, and requested from the nodes as GET', async () => {
      const reply = await expectAnswer({ path, method: 'HEAD' }, { status: 200, asked, as: 'GET' });
      expect(reply.body).toHaveLength(0);
    });

    if (errors.length > 0) {
      test.each(errors)('requested as %s is answered %i, after asking %s', async (target, status, whom) => {
        await expectAnswer({ path: target }, { status, asked: whom });
      });
    }

    test('is 403 for an unknown host', async () => {
      await expectAnswer({ path, headers: { host: 'evil.example' } }, { status: 403 });
    });

    test('is 403 under the host name of a node that is not admitted', async () => {
      await expectAnswer({ path, headers: { host: 'ip-192-0-2-1.gateway.test' } }, { status: 403 });
    });

    test('is 405 for PUT', async () => {
      const reply = await expectAnswer({ path, method: 'PUT' }, { status: 405 });
      expect(reply.headers.allow).toBe('GET, HEAD, POST');
    });

    test('is 429 past the rate limit', async () => {
      await fixture.ask('limited', 'GET', '/gateway/status');
      const reply = await expectAnswer({ gateway: 'limited', path }, { status: 429 });
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
    });

    test('is requested only from the full node under the host name of that node', async () => {
      const host = `ip-127-0-0-1-p${fixture.full.port}.gateway.test`;
      await fixture.ask('development', 'GET', fill(path), { host });
      expect([fixture.archival.take(), fixture.full.take()]).toEqual([[], [`GET ${fill(path)}`]]);
    });
  },
);

const PATHS = READ_ROUTES.map(({ path }) => path);

/** The replies by path of the table, and the requests that each node received for all of them. */
interface Replies {
  replies: ReadonlyMap<string, HttpReply>;
  archival: readonly string[];
  full: readonly string[];
}

/** Requests all routes concurrently, because each request to a silent node takes seconds. */
async function askAll(gateway: GatewayName): Promise<Replies> {
  for (const recorder of [fixture.full, fixture.archival]) recorder.take();
  const replies = await Promise.all(PATHS.map(path => fixture.ask(gateway, 'GET', fill(path))));
  const byPath = new Map(replies.map((reply, at) => [PATHS[at]!, reply]));
  return { replies: byPath, archival: fixture.archival.take(), full: fixture.full.take() };
}

function expectReplyOf({ replies, archival, full }: Replies, path: string, expected: Expected): void {
  const { asked = 'nobody' } = expected;
  expectReply(replies.get(path)!, { path }, expected);
  const line = `GET ${fill(path)}`;
  expect(archival.filter(one => one === line)).toHaveLength(asked.includes('archival') ? 1 : 0);
  expect(full.filter(one => one === line)).toHaveLength(asked.includes('full') ? 1 : 0);
}

function expectNothingElse({ archival, full }: Replies): void {
  const lines = PATHS.map(path => `GET ${fill(path)}`);
  expect([...archival, ...full].filter(line => !lines.includes(line))).toEqual([]);
}

const gatewayFor = (fault: Fault): GatewayName => (fault === 'silence' ? 'impatient' : 'bare');

/** The effect of a broken network on every route: the status for the client, and the nodes that are asked. */
const FAULTS: readonly [name: string, fault: Fault, status: number, asked: AskedNodes][] = [
  ['when the nodes break the connection', 'reset', 502, 'archival, full'],
  ['when the nodes are silent', 'silence', 504, 'archival, full'],
  ['when no node answers health checks', 'down', 503, 'nobody'],
];

describe.each(FAULTS)('%s', (_name, fault, status, asked) => {
  const gateway = gatewayFor(fault);
  let all: Replies;
  beforeAll(async () => {
    for (const recorder of [fixture.full, fixture.archival]) recorder.fault = fault;
    await fixture.refresh(gateway, fault === 'down' ? 0 : 2);
    all = await askAll(gateway);
  });
  afterAll(async () => {
    for (const recorder of [fixture.full, fixture.archival]) recorder.fault = 'none';
    await fixture.refresh(gateway, 2);
  });

  test.each(PATHS)(`GET %s is ${status}`, path => expectReplyOf(all, path, { status, asked }));

  test('the nodes receive no other requests', () => expectNothingElse(all));

  test(`a broadcast is ${status}, and is sent to the full node at most once`, async () => {
    const body = stringify(fixture.payment.fields)!;
    const whom = asked === 'nobody' ? 'nobody' : 'full';
    const question = { gateway, method: 'POST', path: SUBMIT, headers: JSON_TYPE, body };
    const reply = await expectAnswer(question, { status, asked: whom });
    if (whom === 'full') expect(reply.body.toString()).toContain('may have accepted the transaction');
  });

  test(`GET /verify for a hash is ${status}`, async () => {
    const reply = await fixture.ask(gateway, 'GET', `/verify?sha256=${'00'.repeat(32)}`);
    expect([reply.status, readJson(reply.body.toString())]).toEqual([
      status,
      { ...ERROR, code: BigInt(status) },
    ]);
  });
});

/**
 * The effect of a broken archival node on the routes that a full node does not have: the status for the
 * client, and the nodes that are asked.
 */
const ARCHIVAL_FAULTS: readonly [name: string, fault: Fault, status: number, asked: AskedNodes][] = [
  ['when the archival node breaks the connection', 'reset', 502, 'archival, full'],
  ['when the archival node is silent', 'silence', 504, 'archival, full'],
  ['when the archival node does not answer health checks', 'down', 503, 'full'],
];

describe.each(ARCHIVAL_FAULTS)('%s', (_name, fault, status, asked) => {
  const gateway = gatewayFor(fault);
  let all: Replies;
  beforeAll(async () => {
    fixture.archival.fault = fault;
    await fixture.refresh(gateway, fault === 'down' ? 1 : 2);
    all = await askAll(gateway);
  });
  afterAll(async () => {
    fixture.archival.fault = 'none';
    await fixture.refresh(gateway, 2);
  });

  test.each(READ_ROUTES.filter(({ onlyArchival }) => onlyArchival).map(({ path }) => path))(
    `GET %s is ${status}, and never 404`,
    path => expectReplyOf(all, path, { status, asked }),
  );

  test.each(READ_ROUTES.filter(({ onlyArchival }) => !onlyArchival).map(({ path }) => path))(
    'GET %s is answered by the full node',
    path => expectReplyOf(all, path, { status: 200, asked }),
  );

  test('the nodes receive no other requests', () => expectNothingElse(all));
});

describe(`POST ${SUBMIT}`, () => {
  const post = (body: string, headers: Record<string, string> = JSON_TYPE): Question => ({
    method: 'POST',
    path: SUBMIT,
    headers,
    body,
  });

  test('is 202 with the hash of the transaction, from the full node only', async () => {
    const { fields, hash } = fixture.sign(fixture.alice, 1n);
    const answer = { status: 'success', duplicate: false, transaction_hash: hash };
    await expectAnswer(post(stringify(fields)!), { status: 202, asked: 'full', answer });
  });

  test('is 202 and a duplicate for a known transaction', async () => {
    const answer = { status: 'success', duplicate: true, transaction_hash: '{hash}' };
    await expectAnswer(post(stringify(fixture.payment.fields)!), { status: 202, asked: 'full', answer });
  });

  test('is 400 for a signature of another chain, with the message of the contract', async () => {
    const fields = { ...fixture.payment.fields, signature: '00'.repeat(64) };
    const reply = await expectAnswer(post(stringify(fields)!), { status: 400, asked: 'full' });
    expect(readJson(reply.body.toString()).error).toBe(
      'Transaction validation failed: ValidationError: Invalid transaction signature',
    );
  });

  test('is 400 for an unknown sender', async () => {
    const { fields } = fixture.sign(Wallet.numbered(77), 1n);
    const reply = await expectAnswer(post(stringify(fields)!), { status: 400, asked: 'full' });
    expect(readJson(reply.body.toString()).error).toContain('account does not exist');
  });

  test('is 400 for invalid JSON', async () => {
    await expectAnswer(post('{'), { status: 400, asked: 'full' });
  });

  test('is 413 for more than 64 KB, and no node is asked', async () => {
    await expectAnswer(post('x'.repeat(65_537)), { status: 413 });
  });

  test('is 415 for another content type', async () => {
    await expectAnswer(post('{}', { 'content-type': 'text/plain' }), { status: 415, asked: 'full' });
  });

  test('is 405 under the host name of an archival node', async () => {
    const host = `ip-127-0-0-1-p${fixture.archival.port}.gateway.test`;
    await expectAnswer(post('{}', { ...JSON_TYPE, host }), { status: 405 });
  });

  test('is 403 under the host name of a node that is not admitted', async () => {
    await expectAnswer(post('{}', { ...JSON_TYPE, host: 'ip-192-0-2-1.gateway.test' }), { status: 403 });
  });

  test('is 429 past the rate limit', async () => {
    await fixture.ask('limited', 'GET', '/gateway/status');
    await expectAnswer({ ...post('{}'), gateway: 'limited' }, { status: 429 });
  });
});

/** The gateway's own routes, for which no node is asked: the request, the status and a part of the answer. */
const OWN_ROUTES: readonly [name: string, question: Question, status: number, answer?: object][] = [
  [
    'reports its state',
    { path: '/gateway/status' },
    200,
    { mode: 'private', domain: 'gateway.test', allowlisted: 2n, answering: 2n },
  ],
  ['reports that it is live', { path: '/gateway/health/live' }, 200, { live: true }],
  ['reports that it is ready', { path: '/gateway/health/ready' }, 200, { ready: true }],
  [
    'reports the state of its machine',
    { path: '/gateway/system-stats' },
    200,
    { cpu: {}, memory: {}, disk: {}, uptime: {} },
  ],
  [
    'reports its relay',
    { path: '/relay/info' },
    200,
    { address: 'relay.test:3478', rate: 25_000n, genesis_hash: DEVNET_GENESIS_HASH },
  ],
  ['has no relay unless it is configured', { path: '/relay/info', gateway: 'bare' }, 404],
  ['serves a file', { path: '/dl/file.txt' }, 200],
  ['has no file of another name', { path: '/dl/other.txt' }, 404],
  ['has no files unless they are configured', { path: '/dl/file.txt', gateway: 'bare' }, 404],
  ['reports the newest release', { path: '/releases/latest' }, 200, { version: '1.1.0' }],
  ['reports no release if it has none', { path: '/releases/latest', gateway: 'bare' }, 404],
  ['serves a bundle', { path: '/releases/1.0.0/linux-amd64/' }, 200],
  ['has no bundle of another version', { path: '/releases/9.9.9/linux-amd64/' }, 404],
  ['has no bundle for another machine', { path: '/releases/1.0.0/pdp-11/' }, 404],
  ['serves the installer', { path: '/install' }, 200],
  ['has no installer without releases', { path: '/install', gateway: 'bare' }, 404],
  ['rejects a hash that is not valid', { path: '/verify?sha256=x' }, 400],
  ['serves the page of the faucet', { path: '/faucet' }, 200],
  ['has no faucet unless it is a development gateway', { path: '/faucet', gateway: 'bare' }, 404],
  [
    'pays nobody unless it is a development gateway',
    { path: '/faucet', method: 'POST', headers: JSON_TYPE, body: '{}', gateway: 'bare' },
    404,
  ],
  [
    'lists the nodes',
    { path: '/gateway/allowlist' },
    200,
    { allowlist: [{ role: 'full' }, { role: 'archival' }] },
  ],
  [
    'serves the admin page with the key',
    { path: '/admin', headers: { authorization: `Bearer ${KEY}` } },
    200,
  ],
  ['refuses the admin page without the key', { path: '/admin' }, 401],
  [
    'serves its internal state with the key',
    { path: '/admin/state', headers: { 'x-api-key': KEY } },
    200,
    { gateway: { mode: 'private' } },
  ],
  ['refuses its internal state without the key', { path: '/admin/state' }, 401],
  ['serves its OpenAPI document', { path: '/openapi.json' }, 200, { openapi: '3.1.0' }],
  ['has no other route', { path: '/other' }, 404],
  ['has no other method for a route', { path: '/gateway/status', method: 'DELETE' }, 404],
];

describe('the gateway', () => {
  test.each(OWN_ROUTES.map(([name, ...row]) => [name, row] as const))(
    '%s',
    async (_name, [question, status, answer]) => {
      await expectAnswer(question, { status, ...(answer && { answer }) });
    },
  );

  test.each([...new Set(OWN_ROUTES.map(([, { path }]) => path))])(
    'answers %s with 403 for another host',
    async path => {
      await expectAnswer({ path, headers: { host: 'evil.example' } }, { status: 403 });
    },
  );

  test('verifies a hash that the chain publishes', async () => {
    const latest = await fixture.ask('development', 'GET', '/releases/latest');
    const { files } = readJson(latest.body.toString()) as { files: { url: string }[] };
    const bundle = await fixture.ask('development', 'GET', files[0]!.url);
    const sha256 = createHash('sha256').update(bundle.body).digest('hex');
    const reply = await fixture.ask('development', 'GET', `/verify?sha256=${sha256}`);
    const text = reply.body.toString();
    expect(readJson(text)).toMatchObject({ published: true, release: { version: '1.1.0' } });
    expect(faultsOf('GET', '/verify', 200, reply.headers['content-type']!, text)).toEqual([]);
    expect([fixture.archival.take(), fixture.full.take()]).toEqual([['GET /api/v1/release/list'], []]);
  });

  test('pays from the faucet through the full node only', async () => {
    const body = `{"address":"${Wallet.numbered(5).hex}"}`;
    const reply = await fixture.ask('development', 'POST', '/faucet', JSON_TYPE, body);
    const text = reply.body.toString();
    expect([reply.status, readJson(text)]).toMatchObject([200, { success: true, amount: 10_000_000_000n }]);
    expect(faultsOf('POST', '/faucet', 200, reply.headers['content-type']!, text)).toEqual([]);
    expect(fixture.full.take()).toEqual(['POST /faucet']);
    expect(fixture.archival.take().filter(line => line.startsWith('POST'))).toEqual([]);
  });

  test('admits, removes and refreshes nodes with the key', async () => {
    const headers = { ...JSON_TYPE, authorization: `Bearer ${KEY}` };
    const entry = { method: 'POST', headers, body: '{"ip":"192.0.2.1","port":1}', gateway: 'bare' } as const;
    await expectAnswer(
      { ...entry, path: '/gateway/allowlist/add' },
      { status: 200, answer: { added: true } },
    );
    await expectAnswer(
      { ...entry, path: '/gateway/allowlist/add' },
      { status: 200, answer: { added: false } },
    );
    await expectAnswer(
      { ...entry, path: '/gateway/allowlist/remove' },
      { status: 200, answer: { removed: true } },
    );
    await expectAnswer(
      { ...entry, path: '/gateway/allowlist/remove' },
      { status: 200, answer: { removed: false } },
    );
    await expectAnswer(
      { ...entry, path: '/gateway/allowlist/refresh' },
      { status: 200, answer: { success: true } },
    );
    await expectAnswer({ ...entry, body: '{}', path: '/gateway/allowlist/add' }, { status: 400 });
  });
});
