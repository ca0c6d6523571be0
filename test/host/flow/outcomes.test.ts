import { broadcastStateOf, GatewayClient } from '@zbc-signer/host';
import { remedyOf } from '@zbc-signer/host/remedies';
import { answer, type FakeAnswer } from '../../../testkit/gateway/fake-gateway.js';
import {
  FlowFixture,
  HEIGHT,
  NOT_FOUND,
  POST,
  receipt,
  refusal,
  SEND,
  SENT,
  STATUS,
  sendDraft,
  stage,
} from '../../../testkit/gateway/flow-fixture.js';
import { exitCodeOf } from '../../../testkit/process/exit-code.js';
import { caseCount } from '../../../testkit/repository/case-count.js';
import { readText } from '../../../testkit/repository/repository.js';

const HASH = SEND.expect.tx_hash;
const PAGE = '<!doctype html><title>Sorry</title>';
/** The second after the hour in which nodes accept the transaction's timestamp. */
const SAFE_AFTER = SENT.timestamp + 3601n;
const CONFIRMATION_TIMEOUT_MS = 40_000;
/** Time limit of the table's rows whose requests take real time. */
const HASTE_MS = 5000;

const json = (status: number) => answer(`{"success":false,"error":"no","code":${status}}`, status);
const page = (status: number) => ({
  status,
  body: PAGE,
  headers: { 'content-type': 'text/html' },
});
const status = (rest: string) => answer(`{"transaction_hash":"${HASH}",${rest}}`);

/** Answers that any route may give, by the name of their row in the tables of docs/WALLET.md. */
const ANY: Record<string, (FakeAnswer | 'refused')[]> = {
  '404 with an error body': [json(404)],
  '408 with an error body': [json(408)],
  '400 to 415 with any other error body': [400, 401, 403, 405, 409, 413, 415].map(json),
  '400 to 415 with an HTML page': [400, 401, 403, 404, 405, 408, 409, 413, 415].map(page),
  '429 or 503, with any body': [429, 503].flatMap(code => [json(code), page(code), answer('', code)]),
  '502 or 504, with any body': [502, 504].flatMap(code => [json(code), page(code), answer('', code)]),
  '500, with any body': [json(500), page(500), answer('', 500)],
  'a redirect': [301, 302, 307, 308].map(code => ({
    status: code,
    body: '',
    headers: { location: 'http://127.0.0.1:1/' },
  })),
  '200 with an HTML page, an empty body or other JSON': [
    answer(PAGE),
    answer(''),
    answer('{}'),
    answer('[]'),
  ],
  'bytes that are not HTTP': ['garbage'],
  'connection refused': ['refused'],
  'connection closed before or during the answer': ['drop', 'reset'],
  'no complete answer within the time limit': ['silence', 'drip'],
};

const BROADCASTS: Record<string, (FakeAnswer | 'refused')[]> = {
  '202 or 200': [receipt(), { ...(receipt() as object), status: 200 } as FakeAnswer],
  '202 or 200 with `duplicate` true': [
    receipt(HASH, true),
    { ...(receipt(HASH, true) as object), status: 200 } as FakeAnswer,
  ],
  '202 with another hash': [receipt('00'.repeat(32)), receipt('00'.repeat(32), true)],
  '400 with a validation error': [
    'fee too low: 2500000 given, at least 2600000 needed',
    'insufficient balance: 1.025 ZBC needed, 0 ZBC spendable',
    'timestamp too old',
    'sender account does not exist',
  ].map(refusal),
  '400 with `Invalid transaction signature`': [
    refusal('Transaction validation failed: ValidationError: Invalid transaction signature'),
  ],
  ...ANY,
};

const STATUSES: Record<string, (FakeAnswer | 'refused')[]> = {
  'staging or mempool': [stage('staging'), stage('mempool')],
  'an unknown stage': [status('"status":"rejected"'), status('"status":"unknown"')],
  'confirmed in a later block': [status('"status":"confirmed","block_height":12')],
  'confirmed, without a block height': [status('"status":"confirmed"')],
  'confirmed in a block that existed at preparation': [
    status('"status":"confirmed","block_height":9'),
    status('"status":"confirmed","block_height":0'),
  ],
  "confirmed in a block above the chain's height": [status('"status":"confirmed","block_height":13')],
  'the status of another transaction': ['mempool', 'confirmed'].map(name =>
    answer(`{"transaction_hash":"${'00'.repeat(32)}","status":"${name}","block_height":12}`),
  ),
  ...ANY,
};

let fixture: FlowFixture;
/** A route on which nothing listens, from the request with index `from` on. */
let refused: { method: string; route: RegExp; from: number } | undefined;

beforeEach(async () => {
  fixture = await FlowFixture.start();
  refused = undefined;
  HastyClient.answered.clear();
});
afterEach(() => fixture.gateway.stop());

const ROUTES: Record<string, { method: string; route: RegExp }> = {
  [POST]: { method: 'POST', route: /transactions$/ },
  [STATUS]: { method: 'GET', route: /transactions\/.*\/status$/ },
};

const isSilent = (reply: FakeAnswer | 'refused') => reply === 'silence' || reply === 'drip';

/**
 * A client with a short time limit for requests that get no answer. Every other request may take as long as a
 * busy computer needs.
 */
class HastyClient extends GatewayClient {
  static readonly timeoutMs = 200;
  /** By route, the number of requests that are answered before the first that is not. */
  static readonly answered = new Map<string, number>();

  static #limitOf(route: string) {
    const left = HastyClient.answered.get(route) ?? Number.POSITIVE_INFINITY;
    HastyClient.answered.set(route, left - 1);
    return left <= 0 && { timeoutMs: HastyClient.timeoutMs };
  }

  override broadcast(...[transaction, signature, options]: Parameters<GatewayClient['broadcast']>) {
    return super.broadcast(transaction, signature, { ...options, ...HastyClient.#limitOf(POST) });
  }

  override transactionStatus(...[hash, options]: Parameters<GatewayClient['transactionStatus']>) {
    return super.transactionStatus(hash, { ...options, ...HastyClient.#limitOf(STATUS) });
  }
}

/** Gives the route these answers in turn. After 'refused', every further request is refused. */
function on(route: string, ...answers: (FakeAnswer | 'refused')[]): void {
  const at = answers.indexOf('refused');
  if (at >= 0) refused = { ...ROUTES[route]!, from: at };
  const others = answers.filter(reply => reply !== 'refused');
  if (others.some(isSilent)) HastyClient.answered.set(route, others.findIndex(isSilent));
  if (others.length > 0) fixture.gateway.on(route, ...others);
}

/** Works like fetch. If a request should be refused, it goes to a port on which nothing listens. */
const fetchOrRefuse: typeof fetch = (url, init) => {
  const isOfRoute = init?.method === refused?.method && refused?.route.test(`${url}`);
  const isRefused = refused !== undefined && isOfRoute && refused.from-- <= 0;
  return fetch(isRefused ? `${url}`.replace(/:\d+/, ':9') : url, init);
};

async function outcome(reply: FakeAnswer | 'refused'): Promise<string> {
  const neverComes = isSilent(reply);
  const options = {
    gateway: new (neverComes ? HastyClient : GatewayClient)(fixture.url, { fetch: fetchOrRefuse }),
    confirmationTimeoutMs: neverComes ? HASTE_MS : CONFIRMATION_TIMEOUT_MS,
  };
  try {
    const { status: stated, sent, duplicate } = await fixture.run(sendDraft(), undefined, options);
    expect(sent).toBe('yes');
    return duplicate ? `${stated}, duplicate` : stated;
  } catch (error) {
    return describeError(error);
  }
}

/**
 * Returns the advice for the user, and checks that it depends only on `sent`, for every answer at every
 * moment.
 */
function describeError(error: unknown): string {
  const { code, facts } = error as { code: Parameters<typeof remedyOf>[0]['code']; facts: object };
  const sent = broadcastStateOf(error);
  const remedy = remedyOf(error as Parameters<typeof remedyOf>[0]);
  expect(facts).toMatchObject({ transactionHash: HASH, sent });
  if (sent === 'no') {
    expect(facts).not.toHaveProperty('safeAfter');
    expect(remedy).not.toMatch(/pay|accept/);
    expect(fixture.posts).toEqual([]);
  } else {
    expect(facts).toMatchObject({ safeAfter: `${SAFE_AFTER}` });
    expect(remedy).toMatch(
      / Do not pay again before 2026-01-01 01:02:01 UTC by the chain's clock, and later only if /,
    );
    expect(remedy).not.toMatch(/\b(?:send|pay|try) again(?! before)/i);
  }
  return `\`${code}\` ${exitCodeOf(error)}, ${sent}`;
}

type Moment = [name: string, arrange: (reply: FakeAnswer | 'refused') => void];

const OF_BROADCASTS: Moment[] = [
  [
    'first broadcast; then unknown',
    reply => {
      on(POST, reply);
      on(STATUS, NOT_FOUND);
    },
  ],
  [
    'first broadcast; then found',
    reply => {
      on(POST, reply);
      on(STATUS, NOT_FOUND, stage('mempool'), stage('confirmed'));
    },
  ],
  [
    'after a lost one; then unknown',
    reply => {
      on(POST, 'drop', reply);
      on(STATUS, NOT_FOUND);
    },
  ],
];

const OF_STATUSES: Moment[] = [
  ['before the broadcast', reply => on(STATUS, reply)],
  [
    'after a lost broadcast',
    reply => {
      on(POST, 'drop');
      on(STATUS, NOT_FOUND, reply);
    },
  ],
  [
    'after a refusal',
    reply => {
      on(POST, refusal('insufficient balance'));
      on(STATUS, NOT_FOUND, reply);
    },
  ],
  ['after 202', reply => on(STATUS, NOT_FOUND, reply)],
];

/** Returns all answers of a row with `ALL_CASES=1`, otherwise one answer, which changes with the moment. */
function tried<Reply>(replies: readonly Reply[], turn: number): readonly Reply[] {
  const count = caseCount(replies.length, replies.length);
  return replies.map((_, at) => replies[(turn + at) % replies.length]!).slice(0, count);
}

/** Returns the document's table with this heading, as cells by kind of answer; a row lists kinds with `; `. */
function readTable(head: string): Map<string, string[]> {
  const [, table = ''] = readText('docs/WALLET.md').split(`| ${head} |`);
  const [rows = ''] = table.split('\n\n');
  const cells = rows
    .split('\n')
    .slice(2)
    .map(row =>
      row
        .split('|')
        .map(cell => cell.trim())
        .slice(1, -1),
    );
  return new Map(
    cells.flatMap(([names, ...others]) => names!.split('; ').map(name => [name, others] as const)),
  );
}

describe.each([
  ['Answer to a broadcast', BROADCASTS, OF_BROADCASTS, 0],
  ['Answer to a look-up', STATUSES, OF_STATUSES, OF_BROADCASTS.length],
] as const)('%s', (head, answers, moments, first) => {
  const table = readTable(head);

  test('has a row in the table for each kind of answer', () => {
    expect([...table.keys()].sort()).toEqual(Object.keys(answers).sort());
  });

  const cases = Object.entries(answers).flatMap(([row, replies]) =>
    moments.flatMap(([moment, arrange], column) =>
      tried(replies, first + column).map(reply => ({
        row,
        moment,
        arrange,
        column,
        reply,
        at: replies.indexOf(reply),
      })),
    ),
  );
  test.each(cases)('$row ($at), $moment', async ({ row, column, arrange, reply }) => {
    arrange(reply);
    fixture.gateway.on(HEIGHT, answer('{"height":12}'));
    expect(await outcome(reply)).toBe(table.get(row)?.[column]);
  });
});
