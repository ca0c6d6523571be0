import { fromHex, parseAccount, toHex, ZbcSignerError } from '@zbc-signer/chain';
import {
  confirmTransaction,
  formatDocument,
  GatewayClient,
  parseDocument,
  parseSignedDocument,
  prepareTransaction,
  SentTransactions,
  SignerSession,
  type SignTransactionRequest,
  sendTransaction,
  signTransaction,
  submitTransaction,
  type TransactionSigner,
  TransactionType,
  type Transport,
} from '@zbc-signer/host';
import { caseCount } from '../../../testkit/case-count.js';
import { OTHER, OWN } from '../../../testkit/chain-answers.js';
import { exitCodeOf } from '../../../testkit/exit-code.js';
import { GENESIS, ModelChain } from '../../../testkit/model-chain.js';
import { accounts } from '../../../testkit/vectors.js';
import { keyOf } from './flow-fixture.js';

const DRAFT = { type: TransactionType.SendZbc, recipient: parseAccount(OTHER), amount: 5n };
const PUBLIC_KEY = fromHex(accounts.cases[0]!.public_key);
const expectedGenesisHash = fromHex(GENESIS);
const COIN = 100_000_000n;

/** Raw JSON in the place of a field's value. */
const VALUES = [
  'null',
  'true',
  '"x"',
  '""',
  '-1',
  '0',
  '1.5',
  '1e3',
  '1E400',
  '18446744073709551615',
  '18446744073709551616',
  '1'.repeat(40),
  `"${'1'.repeat(40)}"`,
  `"${'00'.repeat(32)}"`,
  '"\\u0000\\u001b[31m"',
  '[]',
  '{}',
  '[[1]]',
];
const PAGE = '<!doctype html><title>Welcome</title>';
const REFUSAL = '{"success":false,"error":"no","code":400}';
const NOT_FOUND = '{"success":false,"error":"no","code":404}';

type Lie = (honest: Response) => Promise<Response> | Response;

/** Instead of the whole answer. */
const ANSWERS: [what: string, lie: Lie][] = [
  ['a page', () => new Response(PAGE)],
  ['a page with status 404', () => new Response(PAGE, { status: 404 })],
  ['a page with status 502', () => new Response(PAGE, { status: 502 })],
  ['nothing', () => new Response('')],
  ['nothing, with status 204', () => new Response(null, { status: 204 })],
  ['null', () => new Response('null')],
  ['a list', () => new Response('[]')],
  ['a number', () => new Response('1')],
  ['an empty object', () => new Response('{}')],
  ['a redirect', () => new Response('', { status: 302, headers: { location: 'http://other.test/' } })],
  ['status 503', () => new Response('', { status: 503 })],
  ['status 500', () => new Response('{}', { status: 500 })],
  ['a refusal', () => new Response(REFUSAL, { status: 400 })],
  ['that it knows nothing', () => new Response(NOT_FOUND, { status: 404 })],
  ['its answer with status 404', async honest => new Response(await honest.text(), { status: 404 })],
  ['its answer cut short', async honest => new Response((await honest.text()).slice(0, -1))],
  ['its answer twice', async honest => new Response((await honest.text()).repeat(2))],
  ['its answer after a byte order mark', async honest => new Response(`\ufeff${await honest.text()}`)],
  ['its answer in a list', async honest => new Response(`[${await honest.text()}]`)],
  ['a byte that is not UTF-8', () => new Response(Uint8Array.of(0x7b, 0xff, 0x7d))],
  ['100,000 brackets', () => new Response('['.repeat(100_000))],
  ['an error of the connection', () => Promise.reject(new TypeError('fetch failed'))],
];

/** Every field that each route has, and what else it may be. */
const FIELDS = {
  '/api/v1/node/info': ['genesis_hash', 'signing_version', 'signing_tag', 'height'],
  '/api/v1/blockchain/status': ['height'],
  '/api/v1/blockchain/estimate-fee': ['minimum_fee', 'timestamp'],
  [`/api/v1/accounts/${OWN}`]: ['balance', 'spendable_balance'],
  '/api/v1/transactions?': ['transactions'],
  '/api/v1/transactions': ['status', 'duplicate', 'transaction_hash'],
  '/status': ['status', 'block_height'],
};

function liesAbout(field: string): [what: string, lie: Lie][] {
  const rewrite =
    (change: (text: string) => string): Lie =>
    async honest =>
      new Response(change(await honest.text()), { status: honest.status });
  const value = new RegExp(`"${field}":("[^"]*"|\\[[^\\]]*\\]|[^,}]*)`);
  return [
    ...VALUES.map((raw): [string, Lie] => [
      `${field} ${raw.slice(0, 24)}`,
      rewrite(text => text.replace(value, `"${field}":${raw}`)),
    ]),
    [`no ${field}`, rewrite(text => text.replace(value, '"other":1'))],
    [`${field} twice`, rewrite(text => text.replace(value, match => `"${field}":0,${match}`))],
    [`${field} as __proto__`, rewrite(text => text.replace(`"${field}"`, '"__proto__"'))],
  ];
}

/** What a request is for: `/api/v1/transactions` is the broadcast, with `?` the list. */
function routeOf(url: string, isPost: boolean): string {
  const path = url.replace('http://gateway.test', '');
  if (path.endsWith('/status') && path.startsWith('/api/v1/transactions/')) return '/status';
  const [route, query] = path.split('?');
  return route === '/api/v1/transactions' && !isPost && query !== undefined ? `${route}?` : route!;
}

/** One payment through a gateway that lies on one route; what the key signed, and what the chain has. */
class Run {
  readonly chain = new ModelChain();
  readonly signed: SignTransactionRequest[] = [];
  #sleptMs = 0;

  constructor(
    readonly route: string,
    readonly lie: Lie,
  ) {}

  readonly options = {
    gateway: new GatewayClient('http://gateway.test', { fetch: (url, init) => this.#fetch(`${url}`, init) }),
    sent: new SentTransactions(),
    expectedGenesisHash,
    clock: {
      now: () => Date.now() + this.#sleptMs,
      sleep: async (ms: number) => {
        this.#sleptMs += ms;
      },
    },
  };

  readonly signer: TransactionSigner = {
    getPublicKey: () => keyOf(0).getPublicKey(),
    signTransaction: request => {
      this.signed.push(request);
      return keyOf(0).signTransaction(request);
    },
  };

  async #fetch(url: string, init?: RequestInit): Promise<Response> {
    const isPost = init?.method === 'POST';
    const honest = this.chain.answer(
      url.replace('http://gateway.test', ''),
      init?.body as string | undefined,
    );
    return routeOf(url, isPost) === this.route ? this.lie(honest) : honest;
  }
}

/** A device that signs with account 0's key, by the commands of docs/APDU.md. */
class KeyDevice implements Transport {
  #header = Buffer.alloc(0);
  #received = Buffer.alloc(0);

  constructor(private readonly signer: TransactionSigner) {}

  async exchange([, ins, p1, , ...rest]: Uint8Array): Promise<Uint8Array> {
    const data = Buffer.from(rest.slice(1));
    if (ins === 0x03) return fromHex(`0101000000${'00'.repeat(13)}9000`);
    if (ins === 0x05) {
      const { publicKey, address } = await this.signer.getPublicKey(0);
      return Buffer.concat([publicKey, Buffer.from(address), fromHex('9000')]);
    }
    if (p1 === 0) {
      this.#header = data;
      this.#received = Buffer.alloc(0);
      return fromHex('9000');
    }
    this.#received = Buffer.concat([this.#received, data]);
    if (this.#received.length < this.#header.readUInt32LE(36)) return fromHex('9000');
    const genesisHash = Uint8Array.from(this.#header.subarray(4, 36));
    const request = { account: 0, genesisHash, transaction: Uint8Array.from(this.#received) };
    const { signature, transactionHash } = await this.signer.signTransaction(request);
    return Buffer.concat([signature, transactionHash, fromHex('9000')]);
  }

  close(): void {}
}

const WAYS: [way: string, pay: (run: Run) => Promise<{ transactionHash: Uint8Array }>][] = [
  [
    'the one call',
    ({ options, signer }) =>
      sendTransaction(DRAFT, { ...options, signer, account: 0, expectedPublicKey: PUBLIC_KEY }),
  ],
  [
    'the steps, from document to document',
    async ({ options, signer }) => {
      const prepared = await prepareTransaction(DRAFT, { ...options, publicKey: PUBLIC_KEY });
      const signed = await signTransaction(parseDocument(formatDocument(prepared)), { ...options, signer });
      const submitted = await submitTransaction(parseSignedDocument(formatDocument(signed)), options);
      return confirmTransaction(submitted, options);
    },
  ],
  [
    'a session',
    async ({ options, signer }) => {
      const session = new SignerSession(new KeyDevice(signer));
      try {
        return await sendTransaction(DRAFT, { ...options, signer: session, account: 0 });
      } finally {
        await session.close();
      }
    },
  ],
];

/** What is wrong about how the payment ended; undefined if nothing is. */
async function faultOf(run: Run, pay: (typeof WAYS)[number][1]): Promise<string | undefined> {
  const outcome = await pay(run).then(
    ({ transactionHash }) => toHex(transactionHash),
    (error: unknown) => error,
  );
  const [paid] = [...run.chain.confirmed.keys()];
  const wrong = run.signed.find(({ genesisHash, transaction }) => {
    const isOurs = toHex(transaction).includes(toHex(DRAFT.recipient.payload));
    return toHex(genesisHash) !== GENESIS || !isOurs;
  });
  if (wrong !== undefined || run.signed.length > 1) return 'signed what was not asked for';
  if (run.chain.fees.some(fee => fee > COIN)) return 'paid a fee above the limit';
  if (typeof outcome === 'string') return outcome === paid ? undefined : 'called sent what is not';
  if (!(outcome instanceof ZbcSignerError)) return `threw ${outcome}`;
  if (exitCodeOf(outcome) <= 1) return `${outcome.code} has exit code 1`;
  const { sent, transactionHash } = outcome.facts;
  if (paid === undefined) return sent === 'yes' ? 'called sent what is not' : undefined;
  return transactionHash === paid && (sent === 'maybe' || sent === 'yes')
    ? undefined
    : `${outcome.code}: called ${sent} what the chain has`;
}

/** All ways with `ALL_CASES=1`, else one for each lie, in turn. */
const WAYS_EACH = caseCount(WAYS.length, WAYS.length);

const lies = Object.entries(FIELDS).flatMap(([route, fields]) =>
  [...ANSWERS, ...fields.flatMap(liesAbout)].map(([what, lie]) => ({ route, what, lie })),
);

test('a gateway without a lie has each of these routes asked, and the payment is made', async () => {
  for (const [, pay] of WAYS) {
    const asked = new Set<string>();
    for (const route of Object.keys(FIELDS)) {
      const run = new Run(route, honest => {
        asked.add(route);
        return honest;
      });
      expect(await faultOf(run, pay)).toBeUndefined();
      expect(run.chain.confirmed.size).toBe(1);
    }
    expect([...asked]).toEqual(Object.keys(FIELDS));
  }
});

test(`none of ${lies.length} lies, one a field and route, ends in a wrong signature, "sent" or "not sent"`, async () => {
  const faults: string[] = [];
  let ended = 0;
  for (const [at, { route, what, lie }] of lies.entries()) {
    for (let next = 0; next < WAYS_EACH; next += 1) {
      const [way, pay] = WAYS[(at + next) % WAYS.length]!;
      const run = new Run(route, lie);
      const fault = await faultOf(run, pay);
      if (fault !== undefined) faults.push(`${route} gives ${what}, by ${way}: ${fault}`);
      if (run.chain.confirmed.size === 0) ended += 1;
    }
  }
  expect(faults).toEqual([]);
  // The lies matter: most of them stop the payment before it is made.
  expect(ended).toBeGreaterThan((lies.length * WAYS_EACH) / 4);
}, 120_000);
