import { derivePrivateKey, fromHex, seedFromMnemonic, sign, TEST_MNEMONIC } from '@zbc-signer/chain';
import {
  confirmTransaction,
  formatDocument,
  GatewayClient,
  parseDocument,
  parseSignedDocument,
  prepareTransaction,
  Signer,
  SignerSession,
  signTransaction,
  submitTransaction,
  type Transport,
} from '@zbc-signer/host';
import { INS_GET_APP_VERSION, INS_GET_PUBLIC_KEY, P1_HEADER } from '@zbc-signer/protocol/commands';
import { NonceDevice } from '../../../testkit/device/nonce-device.js';
import { answer } from '../../../testkit/gateway/fake-gateway.js';
import { FlowFixture, keyOf, SENT, sendDraft } from '../../../testkit/gateway/flow-fixture.js';
import { exitCodeOf } from '../../../testkit/process/exit-code.js';
import { accounts, bytesOf, transactionCases } from '../../../testkit/repository/vectors.js';
import { getPublicKey, publicKeyReply, versionReply } from './script.js';
import { ScriptedTransport } from './scripted-transport.js';

/**
 * Steps in which the device can lie: its key for the flow, its key for the signer's own check, each command,
 * and the queries of a session.
 */
type Step = 'key' | 'second key' | 'header' | 'chunk' | 'result' | 'version';
type Lie = (honest: Buffer, transaction: Uint8Array) => Uint8Array;

/** The order of Ed25519's group. */
const GROUP_ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

const keyOfAccount = (account: number) => derivePrivateKey(seedFromMnemonic(TEST_MNEMONIC), account);

/** A device with account 0's key that lies in one step. Its firmware cannot contribute to the nonce. */
class LyingDevice implements Transport {
  #keysGiven = 0;
  readonly #honest = Object.assign(new NonceDevice(keyOfAccount(0)), { lie: 'unsupported' as const });

  constructor(
    readonly lyingStep: Step,
    readonly lie: Lie,
  ) {}

  async exchange(apdu: Uint8Array): Promise<Uint8Array> {
    const honest = Buffer.from(await this.#honest.exchange(apdu));
    return this.#stepOf(apdu, honest) === this.lyingStep ? this.lie(honest, this.#honest.received) : honest;
  }

  close(): void {}

  #stepOf([, ins, p1, p2]: Uint8Array, { length }: Buffer): Step | undefined {
    if (ins === INS_GET_APP_VERSION) return 'version';
    if (ins === INS_GET_PUBLIC_KEY) return this.#keysGiven++ === 0 ? 'key' : 'second key';
    if (p1 === P1_HEADER) return p2 === 0 ? 'header' : undefined;
    return length === 2 ? 'chunk' : 'result';
  }
}

const flip =
  (at: number): Lie =>
  honest => {
    honest[at]! ^= 1;
    return honest;
  };
const replace =
  (hex: string): Lie =>
  () =>
    fromHex(hex);
const withSignature = (signature: Uint8Array, honest: Buffer) =>
  Buffer.concat([signature, honest.subarray(64)]);

/** Adds the group order to S. The result is also valid for a verifier that does not check the range of S. */
const addGroupOrder: Lie = honest => {
  const little = Buffer.from(honest.subarray(32, 64)).reverse().toString('hex');
  const s = (BigInt(`0x${little}`) + GROUP_ORDER).toString(16).padStart(64, '0');
  return Buffer.concat([honest.subarray(0, 32), Buffer.from(s, 'hex').reverse(), honest.subarray(64)]);
};

const OTHER_REPLY = publicKeyReply(1);
const OWN_REPLY = publicKeyReply(0);

let fixture: FlowFixture;
beforeEach(async () => {
  fixture = await FlowFixture.start();
});
afterEach(() => fixture.gateway.stop());

const LIES: [what: string, step: Step, lie: Lie, code?: string][] = [
  [
    "another account's key with the own address",
    'key',
    replace(OTHER_REPLY.slice(0, 64) + OWN_REPLY.slice(64)),
    'ADDRESS_MISMATCH',
  ],
  ["another account's key and address", 'key', replace(OTHER_REPLY), 'PUBLIC_KEY_MISMATCH'],
  ['an address with a flipped bit', 'key', flip(40), 'ADDRESS_MISMATCH'],
  ['a key with a flipped bit', 'key', flip(3), 'ADDRESS_MISMATCH'],
  ['a key cut short', 'key', honest => honest.subarray(1), 'INVALID_REPLY'],
  ['a key with a byte before it', 'key', honest => Buffer.concat([Buffer.alloc(1), honest]), 'INVALID_REPLY'],
  ['no bytes', 'key', replace(''), 'INVALID_REPLY'],
  ['one byte', 'key', replace('90'), 'INVALID_REPLY'],
  ['300 bytes', 'key', replace('00'.repeat(300)), 'INVALID_REPLY'],
  ['an unknown status', 'key', replace('9001'), 'UNKNOWN_STATUS'],
  ['another key in the second answer', 'second key', replace(OTHER_REPLY), 'PUBLIC_KEY_MISMATCH'],
  [
    'a key and no address when asked again',
    'second key',
    replace(`${OWN_REPLY.slice(0, 64)}9000`),
    'INVALID_REPLY',
  ],
  ['a signature in answer to the header', 'header', replace(`${'00'.repeat(96)}9000`), 'INVALID_REPLY'],
  ['a signature before the last chunk', 'chunk', replace(`${'00'.repeat(96)}9000`), 'INVALID_REPLY'],
  ['an empty answer to the last chunk', 'result', replace('9000'), 'INVALID_REPLY'],
  [
    'a signature without the hash',
    'result',
    honest => Buffer.concat([honest.subarray(0, 64), fromHex('9000')]),
    'INVALID_REPLY',
  ],
  ['one byte too many', 'result', honest => Buffer.concat([Buffer.alloc(1), honest]), 'INVALID_REPLY'],
  ['a signature with a flipped bit in R', 'result', flip(0)],
  ['a signature with a flipped bit in S', 'result', flip(32)],
  ['a signature whose S is out of range', 'result', addGroupOrder],
  ['a signature of zeros', 'result', honest => withSignature(new Uint8Array(64), honest)],
  [
    'a signature of the bytes rather than the digest',
    'result',
    (honest, transaction) => withSignature(sign(transaction, keyOfAccount(0)), honest),
  ],
  [
    "a signature of another account's key",
    'result',
    (honest, transaction) => withSignature(sign(transaction, keyOfAccount(1)), honest),
  ],
  ['a hash with a flipped bit', 'result', flip(64), 'TRANSACTION_HASH_MISMATCH'],
  [
    'a hash of zeros',
    'result',
    honest => Buffer.concat([honest.subarray(0, 64), Buffer.alloc(32), fromHex('9000')]),
    'TRANSACTION_HASH_MISMATCH',
  ],
  [
    'a signature with the status of a rejection',
    'result',
    honest => Buffer.concat([honest.subarray(0, 96), fromHex('6985')]),
    'USER_REJECTED',
  ],
];

const RICH = 10n ** 12n;
const draft = sendDraft({ message: new Uint8Array(256) });
const clock = { now: () => Number(SENT.timestamp) * 1000, sleep: async () => undefined };

/** Runs `work` in a session with the device. The session does not poll the device meanwhile. */
async function inSession<Result>(device: Transport, work: (session: SignerSession) => Promise<Result>) {
  const session = new SignerSession(device);
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

/** Runs each step of a payment separately. The transaction goes from step to step as a document. */
async function runSteps(session: SignerSession, sent = draft): Promise<string> {
  const gateway = new GatewayClient(fixture.url);
  const { publicKey, address } = await session.getPublicKey(0);
  fixture.gateway.on(
    `GET /api/v1/accounts/${address}`,
    answer(`{"balance":${RICH},"spendable_balance":${RICH}}`),
  );
  const prepared = await prepareTransaction(sent, { gateway, publicKey, journal: fixture.journal, clock });
  const signed = await signTransaction(parseDocument(formatDocument(prepared)), { signer: session, clock });
  const submitted = await submitTransaction(parseSignedDocument(formatDocument(signed)), { gateway, clock });
  return (await confirmTransaction(submitted, { gateway, clock })).status;
}

const pinned = (signer: Signer | SignerSession, sent = draft) =>
  fixture.run(sent, undefined, { signer, expectedPublicKey: SENT.sender.payload });
const WAYS: [way: string, run: (device: Transport, sent?: typeof draft) => Promise<unknown>][] = [
  ['a signer', (device, sent) => pinned(new Signer(device), sent)],
  ['a session', (device, sent) => inSession(device, session => pinned(session, sent))],
  ['the steps', (device, sent) => inSession(device, session => runSteps(session, sent))],
];

describe.each(WAYS)('a payment through %s', (_way, run) => {
  test.each(LIES)(
    'a device that gives %s causes no payment',
    async (_what, step, lie, code = 'INVALID_SIGNATURE') => {
      const error = await run(new LyingDevice(step, lie)).then(
        () => 'paid',
        error => error,
      );
      expect(error).toMatchObject({ code });
      // No request reached a node, so no transaction may count as sent.
      expect(error.facts.sent ?? 'no').toBe('no');
      expect(fixture.posts).toEqual([]);
      expect(exitCodeOf(error)).toBeGreaterThan(1);
    },
  );

  test('the same device without a lie signs, and the payment is sent', async () => {
    await run(new LyingDevice('key', honest => honest), sendDraft());
    expect(fixture.posts).toHaveLength(1);
  });
});

describe('a session with a device that lies about its version', () => {
  test.each<[string, string, object]>([
    ['no bytes', '', { state: 'lost', error: { code: 'INVALID_REPLY' } }],
    ['half of it', '010100009000', { state: 'lost', error: { code: 'INVALID_REPLY' } }],
    ['255 types without their list', `0101000000${'00'.repeat(12)}ff9000`, { state: 'lost' }],
    [
      'another protocol',
      `0201000000${'00'.repeat(13)}9000`,
      { state: 'lost', error: { code: 'PROTOCOL_VERSION' } },
    ],
    ['300 bytes', '00'.repeat(300), { state: 'lost', error: { code: 'INVALID_REPLY' } }],
    ['an unknown status', '9001', { state: 'lost' }],
    ['that it is locked', versionReply(2), { state: 'locked' }],
    ['that it is busy', '6901', { state: 'busy' }],
  ])('(%s) never calls it ready, but still pays what was reviewed', async (_lie, reply, state) => {
    const device = new LyingDevice('version', replace(reply));
    await inSession(device, async session => {
      const waiting = session.waitUntilReady({ signal: AbortSignal.timeout(20) });
      await expect(waiting).rejects.toMatchObject({
        code: expect.stringMatching(/^(?:INVALID_REPLY|PROTOCOL_VERSION|UNKNOWN_STATUS|LOCKED|BUSY)$/),
      });
      expect(session.state).toMatchObject(state);
      await pinned(session, sendDraft());
    });
    expect(fixture.posts).toHaveLength(1);
  });
});

describe('a transaction of another sender', () => {
  const { genesis, tx } = transactionCases[0]!;
  const request = { account: 1, genesisHash: bytesOf(genesis), transaction: bytesOf(tx) };

  test('is not uploaded to the device', async () => {
    const transport = new ScriptedTransport(...getPublicKey(1));
    await expect(new Signer(transport).signTransaction(request)).rejects.toMatchObject({
      name: 'DeviceRefusedError',
      code: 'SENDER_MISMATCH',
      reason: 'sender-not-own',
      field: 4,
      offset: 13,
    });
    expect(transport.commands).toHaveLength(1);
  });

  test('is refused with PUBLIC_KEY_MISMATCH if the device does not have the pinned key', async () => {
    const pinned = { ...request, expectedPublicKey: bytesOf(accounts.cases[0]!.public_key) };
    const call = new Signer(new ScriptedTransport(...getPublicKey(1))).signTransaction(pinned);
    await expect(call).rejects.toMatchObject({ code: 'PUBLIC_KEY_MISMATCH' });
    await expect(keyOf(1).signTransaction(pinned)).rejects.toMatchObject({ code: 'PUBLIC_KEY_MISMATCH' });
  });
});

test('a signer that changes the bytes that it is given causes no payment', async () => {
  const key = keyOf(0);
  const signer = {
    getPublicKey: () => key.getPublicKey(),
    signTransaction: async (request: Parameters<typeof key.signTransaction>[0]) => {
      request.transaction.fill(0x7f, 91, 92);
      return key.signTransaction(request);
    },
  };
  const call = fixture.run(sendDraft(), undefined, { signer });
  await expect(call).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
  expect(fixture.posts).toEqual([]);
});

test('a device that accepts a REVEAL without data is not believed to have the check', async () => {
  const signer = new Signer({ exchange: async () => Uint8Array.of(0x90, 0), close: async () => undefined });
  await expect(signer.hasAntiExfil()).rejects.toMatchObject({ code: 'INVALID_REPLY' });
});
