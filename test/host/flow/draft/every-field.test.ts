import {
  derivePrivateKey,
  fromHex,
  parseAccount,
  publicKeyOf,
  seedFromMnemonic,
  TEST_MNEMONIC,
  toHex,
  ZbcSignerError,
} from '@zbc-signer/chain';
import {
  confirmTransaction,
  formatDocument,
  GatewayClient,
  MemoryJournal,
  parseDocument,
  parseSignedDocument,
  prepareTransaction,
  SignerSession,
  type SignTransactionRequest,
  sendTransaction,
  signTransaction,
  submitTransaction,
  type TransactionSigner,
  TransactionType,
  type Transport,
} from '@zbc-signer/host';
import { INS_SIGN_TX } from '@zbc-signer/protocol/commands';
import { GENESIS, ModelChain } from '../../../../testkit/chain/model-chain.js';
import { NonceDevice } from '../../../../testkit/device/nonce-device.js';
import { OTHER } from '../../../../testkit/gateway/chain-answers.js';
import { keyOf } from '../../../../testkit/gateway/flow-fixture.js';
import { FIELDS, GATEWAY_LIES, type GatewayLie, routeOf } from '../../../../testkit/gateway/gateway-lies.js';
import { exitCodeOf } from '../../../../testkit/process/exit-code.js';
import { caseCount } from '../../../../testkit/repository/case-count.js';

/** A device with older firmware that signs with account 0's key. `sign` is called for each signature. */
function keyDevice(sign: (request: SignTransactionRequest) => void): Transport {
  const device = Object.assign(new NonceDevice(KEY), { lie: 'unsupported' as const });
  const exchange = async (apdu: Uint8Array) => {
    const reply = await device.exchange(apdu);
    const { header, received } = device;
    const isSigned = apdu[1] === INS_SIGN_TX && reply.length > 64;
    if (isSigned) sign({ account: 0, genesisHash: header.subarray(4, 36), transaction: received });
    return reply;
  };
  return { exchange, close: () => device.close() };
}

const DRAFT = { type: TransactionType.SendZbc, recipient: parseAccount(OTHER), amount: 5n };
const KEY = derivePrivateKey(seedFromMnemonic(TEST_MNEMONIC), 0);
const PUBLIC_KEY = publicKeyOf(KEY);
const expectedGenesisHash = fromHex(GENESIS);
const COIN = 100_000_000n;

/**
 * A payment through a gateway that lies on one route. Records what the key signed and which transactions the
 * chain received.
 */
class Run {
  readonly chain = new ModelChain();
  readonly signed: SignTransactionRequest[] = [];
  #sleptMs = 0;

  constructor(
    readonly route: string,
    readonly lie: GatewayLie,
  ) {}

  readonly options = {
    gateway: new GatewayClient('http://gateway.test', { fetch: (url, init) => this.#fetch(`${url}`, init) }),
    journal: new MemoryJournal(),
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
    async ({ options, signed }) => {
      const session = new SignerSession(keyDevice(request => signed.push(request)));
      try {
        return await sendTransaction(DRAFT, { ...options, signer: session, account: 0 });
      } finally {
        await session.close();
      }
    },
  ],
];

/** Returns what is wrong with the outcome of a payment; undefined if nothing is. */
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

/** Number of ways of paying that are tried for each lie: all with `ALL_CASES=1`, otherwise one, in turn. */
const WAYS_EACH = caseCount(WAYS.length, WAYS.length);

test('if the gateway does not lie, each of these routes is requested and the payment is made', async () => {
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

test(`none of ${GATEWAY_LIES.length} lies about one field of one route leads to a wrong signature, "sent" or "not sent"`, async () => {
  const faults: string[] = [];
  let ended = 0;
  for (const [at, { route, what, lie }] of GATEWAY_LIES.entries()) {
    for (let next = 0; next < WAYS_EACH; next += 1) {
      const [way, pay] = WAYS[(at + next) % WAYS.length]!;
      const run = new Run(route, lie);
      const fault = await faultOf(run, pay);
      if (fault !== undefined) faults.push(`${route} gives ${what}, by ${way}: ${fault}`);
      if (run.chain.confirmed.size === 0) ended += 1;
    }
  }
  expect(faults).toEqual([]);
  // Enough lies must stop the payment; otherwise the test would show little.
  expect(ended).toBeGreaterThan((GATEWAY_LIES.length * WAYS_EACH) / 4);
});
