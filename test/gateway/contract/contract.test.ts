import { DEVNET_GENESIS_HASH } from '@zbc-signer/devnet';
import { stringify } from 'lossless-json';
import { Wallet } from '../../../testkit/chain/wallet.js';
import type { HttpReply } from '../../../testkit/network/http.js';
import { type Asked, READ_ROUTES } from './chain-table.js';
import type { Fault } from './recorder.js';
import { ContractScene, type GatewayName, KEY } from './scene.js';
import { faultsOf, readJson } from './schema-check.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const SUBMIT = '/api/v1/transactions';
const ERROR = { success: false, error: expect.stringMatching(/./) };

let scene: ContractScene;

beforeAll(async () => {
  scene = await ContractScene.open();
});
afterAll(() => scene.close());
beforeEach(() => {
  for (const recorder of [scene.full, scene.archival]) recorder.take();
});

const fill = (text: string) =>
  text
    .replaceAll('{alice}', scene.alice.hex)
    .replaceAll('{hash}', scene.payment.hash)
    .replaceAll('{height}', scene.paymentHeight);

/** An expected answer with its placeholders replaced. */
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
  asked?: Asked;
  /** A part of the JSON. */
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
  const reply = await scene.ask(gateway, method, fill(question.path), headers, body);
  expectReply(reply, question, expected);
  const { asked = 'nobody', as } = expected;
  const line = `${as ?? method} ${fill(question.path)}`;
  expect(scene.archival.take()).toEqual(asked.includes('archival') ? [line] : []);
  expect(scene.full.take()).toEqual(asked.includes('full') ? [line] : []);
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
    it(`is answered after asking ${asked}`, async () => {
      await expectAnswer({ path }, { status: 200, asked, answer });
    });

    it('is answered without a body for HEAD, and requested as GET', async () => {
      const reply = await expectAnswer({ path, method: 'HEAD' }, { status: 200, asked, as: 'GET' });
      expect(reply.body).toHaveLength(0);
    });

    if (errors.length > 0) {
      it.each(errors)('as %s is %i, after asking %s', async (target, status, whom) => {
        await expectAnswer({ path: target }, { status, asked: whom });
      });
    }

    it('is 403 for an unknown host', async () => {
      await expectAnswer({ path, headers: { host: 'evil.example' } }, { status: 403 });
    });

    it('is 403 by the host name of a node that is not admitted', async () => {
      await expectAnswer({ path, headers: { host: 'ip-192-0-2-1.gateway.test' } }, { status: 403 });
    });

    it('is 405 for PUT', async () => {
      const reply = await expectAnswer({ path, method: 'PUT' }, { status: 405 });
      expect(reply.headers.allow).toBe('GET, HEAD, POST');
    });

    it('is 429 past the rate limit', async () => {
      await scene.ask('limited', 'GET', '/gateway/status');
      const reply = await expectAnswer({ gateway: 'limited', path }, { status: 429 });
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
    });

    it('is requested only from the full node by its host name', async () => {
      const host = `ip-127-0-0-1-p${scene.full.port}.gateway.test`;
      await scene.ask('development', 'GET', fill(path), { host });
      expect([scene.archival.take(), scene.full.take()]).toEqual([[], [`GET ${fill(path)}`]]);
    });
  },
);

const PATHS = READ_ROUTES.map(({ path }) => path);

/** Replies by the table's paths, and the requests that each node received for all of them. */
interface Replies {
  replies: ReadonlyMap<string, HttpReply>;
  archival: readonly string[];
  full: readonly string[];
}

/** Requests all routes concurrently, because a silent node takes seconds for each. */
async function askAll(gateway: GatewayName): Promise<Replies> {
  for (const recorder of [scene.full, scene.archival]) recorder.take();
  const replies = await Promise.all(PATHS.map(path => scene.ask(gateway, 'GET', fill(path))));
  const byPath = new Map(replies.map((reply, at) => [PATHS[at]!, reply]));
  return { replies: byPath, archival: scene.archival.take(), full: scene.full.take() };
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

/** The effect of a broken network on every route: the nodes asked, and the client's response. */
const FAULTS: readonly [name: string, fault: Fault, status: number, asked: Asked][] = [
  ['when the nodes break the connection', 'reset', 502, 'archival, full'],
  ['when the nodes are silent', 'silence', 504, 'archival, full'],
  ['when no node answers health checks', 'down', 503, 'nobody'],
];

describe.each(FAULTS)('%s', (_name, fault, status, asked) => {
  const gateway = gatewayFor(fault);
  let all: Replies;
  beforeAll(async () => {
    for (const recorder of [scene.full, scene.archival]) recorder.fault = fault;
    await scene.refresh(gateway, fault === 'down' ? 0 : 2);
    all = await askAll(gateway);
  });
  afterAll(async () => {
    for (const recorder of [scene.full, scene.archival]) recorder.fault = 'none';
    await scene.refresh(gateway, 2);
  });

  it.each(PATHS)(`GET %s is ${status}`, path => expectReplyOf(all, path, { status, asked }));

  it('nothing else is asked of a node', () => expectNothingElse(all));

  it(`a broadcast is ${status}, and asked of the full node at most once`, async () => {
    const body = stringify(scene.payment.fields)!;
    const whom = asked === 'nobody' ? 'nobody' : 'full';
    const question = { gateway, method: 'POST', path: SUBMIT, headers: JSON_TYPE, body };
    const reply = await expectAnswer(question, { status, asked: whom });
    if (whom === 'full') expect(reply.body.toString()).toContain('may have accepted the transaction');
  });

  it(`the check of a hash is ${status}`, async () => {
    const reply = await scene.ask(gateway, 'GET', `/verify?sha256=${'00'.repeat(32)}`);
    expect([reply.status, readJson(reply.body.toString())]).toEqual([
      status,
      { ...ERROR, code: BigInt(status) },
    ]);
  });
});

/** The effect of a broken archival node on the routes that a full node does not have. */
const ARCHIVAL_FAULTS: readonly [name: string, fault: Fault, status: number, asked: Asked][] = [
  ['when the archival node breaks the connection', 'reset', 502, 'archival, full'],
  ['when the archival node is silent', 'silence', 504, 'archival, full'],
  ['when the archival node does not answer health checks', 'down', 503, 'full'],
];

describe.each(ARCHIVAL_FAULTS)('%s', (_name, fault, status, asked) => {
  const gateway = gatewayFor(fault);
  let all: Replies;
  beforeAll(async () => {
    scene.archival.fault = fault;
    await scene.refresh(gateway, fault === 'down' ? 1 : 2);
    all = await askAll(gateway);
  });
  afterAll(async () => {
    scene.archival.fault = 'none';
    await scene.refresh(gateway, 2);
  });

  it.each(READ_ROUTES.filter(({ onlyArchival }) => onlyArchival).map(({ path }) => path))(
    `GET %s is ${status}, and never 404`,
    path => expectReplyOf(all, path, { status, asked }),
  );

  it.each(READ_ROUTES.filter(({ onlyArchival }) => !onlyArchival).map(({ path }) => path))(
    'GET %s is answered by the full node',
    path => expectReplyOf(all, path, { status: 200, asked }),
  );

  it('nothing else is asked of a node', () => expectNothingElse(all));
});

describe(`POST ${SUBMIT}`, () => {
  const post = (body: string, headers: Record<string, string> = JSON_TYPE): Question => ({
    method: 'POST',
    path: SUBMIT,
    headers,
    body,
  });

  it('is 202 with the hash of the transaction, from the full node only', async () => {
    const { fields, hash } = scene.sign(scene.alice, 1n);
    const answer = { status: 'success', duplicate: false, transaction_hash: hash };
    await expectAnswer(post(stringify(fields)!), { status: 202, asked: 'full', answer });
  });

  it('is 202 and a duplicate for a known transaction', async () => {
    const answer = { status: 'success', duplicate: true, transaction_hash: '{hash}' };
    await expectAnswer(post(stringify(scene.payment.fields)!), { status: 202, asked: 'full', answer });
  });

  it('is 400 for a signature of another chain, in the words of the contract', async () => {
    const fields = { ...scene.payment.fields, signature: '00'.repeat(64) };
    const reply = await expectAnswer(post(stringify(fields)!), { status: 400, asked: 'full' });
    expect(readJson(reply.body.toString()).error).toBe(
      'Transaction validation failed: ValidationError: Invalid transaction signature',
    );
  });

  it('is 400 for an unknown sender', async () => {
    const { fields } = scene.sign(Wallet.numbered(77), 1n);
    const reply = await expectAnswer(post(stringify(fields)!), { status: 400, asked: 'full' });
    expect(readJson(reply.body.toString()).error).toContain('account does not exist');
  });

  it('is 400 for invalid JSON', async () => {
    await expectAnswer(post('{'), { status: 400, asked: 'full' });
  });

  it('is 413 for more than 64 KB, and no node is asked', async () => {
    await expectAnswer(post('x'.repeat(65_537)), { status: 413 });
  });

  it('is 415 for another type', async () => {
    await expectAnswer(post('{}', { 'content-type': 'text/plain' }), { status: 415, asked: 'full' });
  });

  it('is 405 by the name of an archival node', async () => {
    const host = `ip-127-0-0-1-p${scene.archival.port}.gateway.test`;
    await expectAnswer(post('{}', { ...JSON_TYPE, host }), { status: 405 });
  });

  it('is 403 by the host name of a node that is not admitted', async () => {
    await expectAnswer(post('{}', { ...JSON_TYPE, host: 'ip-192-0-2-1.gateway.test' }), { status: 403 });
  });

  it('is 429 past the rate limit', async () => {
    await scene.ask('limited', 'GET', '/gateway/status');
    await expectAnswer({ ...post('{}'), gateway: 'limited' }, { status: 429 });
  });
});

/** The gateway's own routes, which ask no node: request, status and a part of the answer. */
const OWN_ROUTES: readonly [name: string, question: Question, status: number, answer?: object][] = [
  [
    'reports its state',
    { path: '/gateway/status' },
    200,
    { mode: 'private', domain: 'gateway.test', allowlisted: 2n, answering: 2n },
  ],
  ['is live', { path: '/gateway/health/live' }, 200, { live: true }],
  ['is ready', { path: '/gateway/health/ready' }, 200, { ready: true }],
  [
    'reports its machine',
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
  ['gives a file', { path: '/dl/file.txt' }, 200],
  ['has no file of another name', { path: '/dl/other.txt' }, 404],
  ['has no files unless they are configured', { path: '/dl/file.txt', gateway: 'bare' }, 404],
  ['names the newest release', { path: '/releases/latest' }, 200, { version: '1.1.0' }],
  ['names no release unless it has any', { path: '/releases/latest', gateway: 'bare' }, 404],
  ['gives a bundle', { path: '/releases/1.0.0/linux-amd64/' }, 200],
  ['has no bundle of another version', { path: '/releases/9.9.9/linux-amd64/' }, 404],
  ['has no bundle for another machine', { path: '/releases/1.0.0/pdp-11/' }, 404],
  ['gives the installer', { path: '/install' }, 200],
  ['has no installer without releases', { path: '/install', gateway: 'bare' }, 404],
  ['gives the page of the check', { path: '/verify', headers: { accept: 'text/html' } }, 200],
  ['needs a hash to check', { path: '/verify?sha256=x' }, 400],
  ['gives the page of the faucet', { path: '/faucet' }, 200],
  ['has no faucet that is no development gateway', { path: '/faucet', gateway: 'bare' }, 404],
  [
    'pays nobody that is no development gateway',
    { path: '/faucet', method: 'POST', headers: JSON_TYPE, body: '{}', gateway: 'bare' },
    404,
  ],
  [
    'lists the nodes',
    { path: '/gateway/allowlist' },
    200,
    { allowlist: [{ role: 'full' }, { role: 'archival' }] },
  ],
  ['gives the admin page to the key', { path: '/admin', headers: { authorization: `Bearer ${KEY}` } }, 200],
  ['gives the admin page to nobody else', { path: '/admin' }, 401],
  [
    'gives its inner state to the key',
    { path: '/admin/state', headers: { 'x-api-key': KEY } },
    200,
    { gateway: { mode: 'private' } },
  ],
  ['gives its inner state to nobody else', { path: '/admin/state' }, 401],
  ['gives this document', { path: '/openapi.json' }, 200, { openapi: '3.1.0' }],
  ['has no other route', { path: '/other' }, 404],
  ['has no other method', { path: '/gateway/status', method: 'DELETE' }, 404],
];

describe('the gateway', () => {
  it.each(OWN_ROUTES.map(([name, ...row]) => [name, row] as const))(
    '%s',
    async (_name, [question, status, answer]) => {
      await expectAnswer(question, { status, ...(answer && { answer }) });
    },
  );

  it.each([...new Set(OWN_ROUTES.map(([, { path }]) => path))])(
    'answers %s with 403 for another host',
    async path => {
      await expectAnswer({ path, headers: { host: 'evil.example' } }, { status: 403 });
    },
  );

  it('checks a hash that the chain publishes', async () => {
    const { body } = await scene.ask('development', 'GET', '/releases/latest');
    const { files } = readJson(body.toString()) as { files: { sha256: string }[] };
    const reply = await scene.ask('development', 'GET', `/verify?sha256=${files[0]!.sha256}`);
    const text = reply.body.toString();
    expect(readJson(text)).toMatchObject({ published: true, release: { version: '1.1.0' } });
    expect(faultsOf('GET', '/verify', 200, reply.headers['content-type']!, text)).toEqual([]);
    expect([scene.archival.take(), scene.full.take()]).toEqual([['GET /api/v1/release/list'], []]);
  });

  it('pays from the faucet through the full node only', async () => {
    const body = `{"address":"${Wallet.numbered(5).hex}"}`;
    const reply = await scene.ask('development', 'POST', '/faucet', JSON_TYPE, body);
    const text = reply.body.toString();
    expect([reply.status, readJson(text)]).toMatchObject([200, { success: true, amount: 10_000_000_000n }]);
    expect(faultsOf('POST', '/faucet', 200, reply.headers['content-type']!, text)).toEqual([]);
    expect(scene.full.take()).toEqual(['POST /faucet']);
    expect(scene.archival.take().filter(line => line.startsWith('POST'))).toEqual([]);
  });

  it.each(['add', 'remove', 'refresh'])('rejects %s on the allowlist without the key', async write => {
    const path = `/gateway/allowlist/${write}`;
    await expectAnswer(
      { path, method: 'POST', headers: JSON_TYPE, body: '{"ip":"192.0.2.1"}' },
      { status: 401 },
    );
  });

  it('admits, removes and refreshes nodes with the key', async () => {
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
