import { toHex } from '@zbc-signer/chain';
import {
  confirmTransaction,
  type Draft,
  GatewayClient,
  MemoryJournal,
  type PaymentJournal,
  prepareTransaction,
  Signer,
  SignerSession,
  type SubmittedTransaction,
  signTransaction,
  submitTransaction,
  type TransactionSignature,
} from '@zbc-signer/host';
import { HidTransport, TcpTransport, UsbTransport } from '@zbc-signer/host/node';
import { SoftwareSigner } from '@zbc-signer/host/software-signer';
import { FlowFixture, keyOf, OWN, SEND, SENT, sendDraft } from '../../../testkit/gateway/flow-fixture.js';

const ATOMS = 'must be a bigint of atomic units';
const BYTES = 'must be a Uint8Array';
const ACCOUNT = 'must be an account: use parseAccount';
const BYTES_32 = 'must be a Uint8Array of 32 bytes';
const FLAG = 'must be true or false';
const HASH = new Uint8Array(32);
const ESCROW = {
  approver: SENT.recipient,
  commission: 1n,
  timeout: 2_000_000_000n,
  instruction: new Uint8Array(0),
  multiParty: false,
};
const tokenDraft = (changes: object): Draft => sendDraft({ type: 11, tokenId: 5n, ...changes });
const approvalDraft = (changes: object) =>
  ({ type: 4, approval: 'approve', escrowHash: HASH, ...changes }) as unknown as Draft;

let fixture: FlowFixture;
let keysRead: number;
beforeEach(async () => {
  fixture = await FlowFixture.start();
  keysRead = 0;
});
afterEach(() => fixture.gateway.stop());

const signer = {
  getPublicKey: () => {
    keysRead += 1;
    return keyOf(0).getPublicKey();
  },
  signTransaction: () => Promise.reject(new Error('asked to sign')),
};

const prepare = (draft: Draft, options: object = {}) =>
  prepareTransaction(draft, {
    gateway: new GatewayClient(fixture.url),
    publicKey: Uint8Array.from(Buffer.from(OWN.public_key, 'hex')),
    ...options,
  });

/** Checks that the draft is refused, and that neither the device nor the gateway received a request. */
async function expectRefused(draft: Draft, options: object, words: string | RegExp): Promise<void> {
  const message = typeof words === 'string' ? words : expect.stringMatching(words);
  const refused = { code: 'INVALID_INPUT', message };
  await expect(fixture.run(draft, undefined, { signer, ...options })).rejects.toMatchObject(refused);
  await expect(prepare(draft, options)).rejects.toMatchObject(refused);
  expect(keysRead).toBe(0);
  expect(fixture.gateway.requests).toEqual([]);
}

test.each([['0.1'], ['1'], [''], [Number.NaN], [1], [100_000_000], [{}], [null], [true]])(
  'a maxFee of %p is refused',
  async maxFee => {
    await expectRefused(sendDraft(), { maxFee }, `maxFee ${ATOMS}`);
  },
);

test('an expected genesis hash in hex is refused', async () => {
  const expectedGenesisHash = '00'.repeat(32);
  await expectRefused(sendDraft(), { expectedGenesisHash }, `expectedGenesisHash ${BYTES_32}`);
});

test('a prepared transaction is not signed if maxFee has another type', async () => {
  const clock = { now: () => Number(SENT.timestamp) * 1000, sleep: async () => undefined };
  const prepared = await prepare(sendDraft(), { clock, journal: fixture.journal });
  const signing = signTransaction(prepared, { signer, clock, ...({ maxFee: '0.1' } as object) });
  await expect(signing).rejects.toMatchObject({ code: 'INVALID_INPUT', message: `maxFee ${ATOMS}` });
  const changed = { ...prepared.transaction, fee: 2_500_000.5 as unknown as bigint };
  const signingChanged = signTransaction({ ...prepared, transaction: changed }, { signer, clock });
  await expect(signingChanged).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});

test.each<[string, Draft, string | RegExp]>([
  ['a fee in a string', sendDraft({ fee: '2500000' }), `fee ${ATOMS}`],
  ['a fee of null', sendDraft({ fee: null }), `fee ${ATOMS}`],
  ['an amount in a string', sendDraft({ amount: '150000000' }), `amount ${ATOMS}`],
  ['a fraction of an atom', sendDraft({ amount: 1.5 }), `amount ${ATOMS}`],
  ['a number of atoms', sendDraft({ amount: 150_000_000 }), `amount ${ATOMS}`],
  ['no amount', sendDraft({ amount: undefined }), `amount ${ATOMS}`],
  ['a message in a string', sendDraft({ message: 'hello' }), `message ${BYTES}`],
  ['an address as recipient', sendDraft({ recipient: OWN.address }), `recipient ${ACCOUNT}`],
  ['no recipient', sendDraft({ recipient: undefined }), `recipient ${ACCOUNT}`],
  ['a payload in hex', sendDraft({ recipient: { kind: 0, payload: '00' } }), `recipient ${ACCOUNT}`],
  ['a token in a string', tokenDraft({ tokenId: '5' }), 'tokenId must be a bigint'],
  ['tokens in a string', tokenDraft({ amount: '5' }), `amount ${ATOMS}`],
  ['a hash in hex', approvalDraft({ escrowHash: '00'.repeat(32) }), `escrowHash ${BYTES_32}`],
  ['half a hash', approvalDraft({ escrowHash: HASH.slice(16) }), `escrowHash ${BYTES_32}`],
  [
    'a decision encoded as a number',
    approvalDraft({ approval: 0 }),
    'approval must be one of EscrowDecision',
  ],
  ['a decision that is a flag', approvalDraft({ approval: true }), 'approval must be one of EscrowDecision'],
  [
    'a decision in capitals',
    approvalDraft({ approval: 'APPROVE' }),
    'approval must be one of EscrowDecision',
  ],
  ['no decision', approvalDraft({ approval: undefined }), 'approval must be one of EscrowDecision'],
  ['decimals in a string', tokenDraft({ decimals: '4' }), 'decimals must be a whole number'],
  ['decimals of NaN', tokenDraft({ decimals: Number.NaN }), 'decimals must be a whole number'],
  ['decimals in a bigint', tokenDraft({ decimals: 4n }), 'decimals must be a whole number'],
  ['a fee in the token of 1', tokenDraft({ feeInToken: 1 }), `feeInToken ${FLAG}`],
  ['a fee in the token in a string', tokenDraft({ feeInToken: 'false' }), `feeInToken ${FLAG}`],
  ['an escrow of null', sendDraft({ escrow: null }), 'escrow must be an escrow'],
  ['an escrow in JSON', sendDraft({ escrow: '{}' }), 'escrow must be an escrow'],
  ['a misspelt message', sendDraft({ memo: new Uint8Array(3) }), /^unknown field .* of type 1: memo$/],
  ['a token id for a payment of coins', sendDraft({ tokenId: 5n }), /^unknown field .*: tokenId$/],
  ['a token fee for a payment of coins', sendDraft({ feeInToken: true }), /^unknown field .*: feeInToken$/],
  ['an escrow for a decision', approvalDraft({ escrow: ESCROW }), /^unknown field .* of type 4: escrow$/],
  ['a field of another prototype', JSON.parse('{"__proto__":1,"type":1}'), /^recipient must be/],
])('a draft with %s is refused', async (_name, draft, message) => {
  await expectRefused(draft, {}, message);
});

test.each<[string, object, string]>([
  ['approver', { approver: OWN.address }, ACCOUNT],
  ['commission', { commission: '1' }, ATOMS],
  ['timeout', { timeout: 2_000_000_000 }, 'must be a bigint of Unix seconds'],
  ['instruction', { instruction: 'ship first' }, BYTES],
  ['multiParty', { multiParty: 'false' }, FLAG],
])('an escrow with a %s of another type is refused', async (field, changes, message) => {
  await expectRefused(sendDraft({ escrow: { ...ESCROW, ...changes } }), {}, `${field} ${message}`);
});

test.each([
  [sendDraft({ type: undefined })],
  [sendDraft({ type: '1' })],
  [sendDraft({ type: 3 })],
  [undefined],
])('draft %# is refused because no signer signs its type', async draft => {
  await expectRefused(draft as Draft, {}, 'type must be one of TransactionType');
});

test.each<[string, unknown, string | RegExp]>([
  ['gateway', 'http://127.0.0.1:8883', 'gateway must be a GatewayClient'],
  ['gateway', undefined, 'gateway must be a GatewayClient'],
  ['account', '0', /^an account index is a whole number/],
  ['account', Number.NaN, /^an account index is a whole number/],
  ['account', 0n, /^an account index is a whole number/],
  ['allowsZeroAmount', 'false', `allowsZeroAmount ${FLAG}`],
  ['allowsZeroAmount', 1, `allowsZeroAmount ${FLAG}`],
  ['signal', new AbortController(), 'signal must be an AbortSignal'],
  ['onProgress', {}, 'onProgress must be a function'],
  ['clock', Date, 'clock must be a clock'],
  ['journal', new Set(), 'journal must be a PaymentJournal, with signed, ended and pending'],
  ['expectedGenesisHash', new Uint8Array(31), `expectedGenesisHash ${BYTES_32}`],
  // If a misspelt option were accepted, the limit that the caller wanted would have no effect.
  ['expectedGenesis', new Uint8Array(32), 'unknown option: expectedGenesis'],
  ['maxfee', 1n, 'unknown option: maxfee'],
])('the option %s is refused if it is %p', async (name, value, words) => {
  await expectRefused(sendDraft(), { [name]: value }, words);
});

test.each<[string, unknown, string]>([
  ['signer', {}, 'signer must be a signer'],
  ['signer', undefined, 'signer must be a signer'],
  ['expectedPublicKey', OWN.public_key, `expectedPublicKey ${BYTES_32}`],
  ['waitsForConfirmation', 'no', `waitsForConfirmation ${FLAG}`],
  ['confirmationTimeoutMs', Number.NaN, 'confirmationTimeoutMs must be a number of milliseconds'],
  ['confirmationTimeoutMs', '5000', 'confirmationTimeoutMs must be a number of milliseconds'],
  ['pollMs', -1, 'pollMs must be a number of milliseconds'],
])('the option %s is refused before a payment begins if it is %p', async (name, value, message) => {
  const call = fixture.run(sendDraft(), undefined, { signer, [name]: value });
  await expect(call).rejects.toMatchObject({ code: 'INVALID_INPUT', message });
  expect(keysRead).toBe(0);
  expect(fixture.gateway.requests).toEqual([]);
});

test.each([[undefined], [null], ['a document'], [{}]])(
  'the steps refuse %p as any of their arguments',
  async given => {
    const refused = { code: 'INVALID_INPUT' };
    const options = { gateway: new GatewayClient(fixture.url), signer };
    const none = given as never;
    await expect(signTransaction(none, options)).rejects.toMatchObject(refused);
    await expect(submitTransaction(none, options)).rejects.toMatchObject(refused);
    await expect(confirmTransaction(none, options)).rejects.toMatchObject(refused);
    await expect(prepareTransaction(sendDraft(), none)).rejects.toMatchObject(refused);
    await expect(signTransaction({} as never, none)).rejects.toMatchObject(refused);
    await expect(submitTransaction({} as never, none)).rejects.toMatchObject(refused);
    await expect(confirmTransaction({} as SubmittedTransaction, none)).rejects.toMatchObject(refused);
  },
);

/**
 * Returns a draft whose fields are those of SEND at the first access. Later accesses get another amount and
 * recipient.
 */
function changing(draft: object): Draft {
  const seen = new Set<string | symbol>();
  return new Proxy(draft, {
    get(target, name) {
      const first: unknown = Reflect.get(target, name);
      if (!seen.has(name)) {
        seen.add(name);
        return first;
      }
      return name === 'amount' ? 1n : first;
    },
  }) as Draft;
}

test('a draft whose fields change between reads is used as it was first read', async () => {
  const { transaction } = await fixture.run(changing(sendDraft()));
  expect(transaction).toMatchObject({ amount: 100_000_000n });
});

test('changes that the caller makes after the call have no effect', async () => {
  const payload = Uint8Array.from(SENT.recipient.payload);
  const message = Uint8Array.of(65);
  const draft = sendDraft({ recipient: { kind: 0, payload }, message });
  const options: { account: number; maxFee: bigint } = { account: 0, maxFee: 100_000_000n };
  const call = fixture.run(draft, undefined, options);
  payload.fill(0xee);
  message.fill(66);
  Object.assign(draft, { amount: 5n, fee: 1n });
  Object.assign(options, { account: 7, maxFee: 0n });
  await call.catch(() => undefined);
  const [asked] = fixture.asked;
  expect(asked).toMatchObject({ account: 0 });
  const bytes = Buffer.from(asked!.transaction).toString('hex');
  expect(bytes).toContain(Buffer.from(SENT.recipient.payload).toString('hex'));
  expect(bytes).not.toContain('eeee');
  expect(bytes.endsWith('0100000041')).toBe(true);
});

test('a prepared transaction that is changed during its review is signed as it was reviewed', async () => {
  const clock = { now: () => Number(SENT.timestamp) * 1000, sleep: async () => undefined };
  const prepared = await prepare(sendDraft(), { clock, journal: fixture.journal });
  const key = keyOf(0);
  const answers: TransactionSignature[] = [];
  const changer = {
    getPublicKey: () => key.getPublicKey(),
    signTransaction: async (request: Parameters<typeof key.signTransaction>[0]) => {
      prepared.transaction.fee = 99n;
      prepared.genesisHash.fill(1);
      prepared.publicKey.fill(2);
      answers.push(await key.signTransaction(request));
      return answers[0]!;
    },
  };
  const signed = await signTransaction(prepared, { signer: changer, clock });
  answers[0]?.signature.fill(3);
  answers[0]?.transactionHash.fill(4);
  expect([signed.signature[0], signed.transactionHash[0]]).not.toEqual([3, 4]);
  expect(signed.signature).not.toEqual(answers[0]?.signature);
  expect(signed.transaction.fee).toBe(2_500_000n);
  expect([signed.genesisHash[0], signed.publicKey[0]]).not.toEqual([1, 2]);
});

test('a signed transaction that is changed while it is sent is sent unchanged', async () => {
  const clock = { now: () => Number(SENT.timestamp) * 1000, sleep: async () => undefined };
  const gateway = new GatewayClient(fixture.url);
  const prepared = await prepare(sendDraft(), { clock, journal: fixture.journal });
  const signed = await signTransaction(prepared, { signer: keyOf(0), clock });
  const sent = submitTransaction(signed, { gateway, clock });
  signed.transaction.fee = 99n;
  signed.signature.fill(0);
  signed.transactionHash.fill(0);
  await expect(sent).resolves.toMatchObject({ sent: 'yes' });
});

/** Changes all bytes of what a callback was given, and empties all of its lists. */
function scramble(given: unknown): void {
  if (given instanceof Uint8Array) given.fill(0xee);
  if (Array.isArray(given)) given.length = 0;
  else if (typeof given === 'object' && given !== null) Object.values(given).forEach(scramble);
}

test('nothing that a listener, a journal or a signer does to its arguments changes the payment', async () => {
  const kept = new MemoryJournal();
  const journal: PaymentJournal = {
    signed: payment => kept.signed(payment).finally(() => scramble(payment)),
    ended: (hash, end) => kept.ended(Uint8Array.from(hash), end).finally(() => scramble(hash)),
    pending: () => kept.pending(),
    hold: hash => kept.hold(Uint8Array.from(hash)).finally(() => scramble(hash)),
    reserve: (payment, taken) => kept.reserve(payment, taken).finally(() => scramble(payment)),
  };
  const key = keyOf(0);
  const changer = {
    getPublicKey: () => key.getPublicKey(),
    signTransaction: async (request: Parameters<typeof key.signTransaction>[0]) => {
      const answered = await key.signTransaction(request);
      scramble(request);
      setImmediate(scramble, answered);
      return answered;
    },
  };
  const options = { journal, signer: changer, onProgress: scramble, maxFee: 100_000_000n };
  const outcome = await fixture.run(sendDraft(), undefined, options);
  expect(outcome).toMatchObject({ status: 'confirmed', sent: 'yes', review: SEND.expect.review });
  expect(toHex(outcome.transactionHash)).toBe(SEND.expect.tx_hash);
  expect(await kept.pending()).toEqual([]);
});

test.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw new Error('full');
    },
  ],
  ['returns nothing', () => undefined],
  ['rejects', () => Promise.reject(new Error('full'))],
])("a user's rejection is reported although the journal's release %s", async (_what, release) => {
  const journal = Object.assign(new MemoryJournal(), { release });
  const rejected = Object.assign(new Error('no'), { code: 'USER_REJECTED', facts: {} });
  const rejecting = { ...signer, signTransaction: () => Promise.reject(rejected) };
  const call = fixture.run(sendDraft(), undefined, { signer: rejecting, journal: journal as PaymentJournal });
  await expect(call).rejects.toMatchObject({ code: 'USER_REJECTED' });
});

test.each([[undefined], [5], ['1']])('a journal that reserves the time %p has failed', async reserved => {
  const journal = Object.assign(new MemoryJournal(), { reserve: async () => reserved });
  const call = fixture.run(sendDraft(), undefined, { signer, journal: journal as unknown as PaymentJournal });
  await expect(call).rejects.toMatchObject({ code: 'JOURNAL_FAILED', facts: { sent: 'no' } });
});

describe('a signer', () => {
  const exchange = () => Promise.reject(new Error('asked the device'));
  const signers = [
    ['Signer', () => new Signer({ exchange, close: () => undefined })],
    ['SignerSession', () => new SignerSession({ exchange, close: () => undefined })],
  ] as const;
  const request = { account: 0, genesisHash: HASH, transaction: new Uint8Array(5) };

  test.each(signers)(
    'of class %s rejects its promise for arguments of another type, and never throws',
    async (_name, make) => {
      const device = make();
      for (const call of [
        () => device.signTransaction(undefined as never),
        () => device.signTransaction({ ...request, genesisHash: '0'.repeat(32) as never }),
        () => device.signTransaction({ ...request, transaction: [1, 2] as never }),
        () => device.signTransaction({ ...request, expectedPublicKey: '' as never }),
        () => device.signMessage(0, 'hello' as never),
        () => device.signMessage(0, undefined as never),
        () => device.getPublicKey('0' as never),
      ]) {
        await expect(call()).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      }
    },
  );

  test.each([[{}], [undefined], ['hid'], [{ send: exchange }], [{ exchange }]])(
    'is refused if its transport is %p',
    transport => {
      const refused = expect.objectContaining({ code: 'INVALID_INPUT' });
      expect(() => new Signer(transport as never)).toThrow(refused);
      expect(() => new SignerSession(transport as never)).toThrow(refused);
    },
  );

  test.each([[undefined], [null], ['9000'], [{}], [{ length: 2 }], [[0x90, 0]], [new ArrayBuffer(2)]])(
    'rejects the reply %p of its transport',
    async reply => {
      const device = new Signer({ exchange: async () => reply as never, close: () => undefined });
      await expect(device.getVersion()).rejects.toMatchObject({ code: 'INVALID_REPLY' });
      await expect(device.signMessage(0, Uint8Array.of(72))).rejects.toMatchObject({ code: 'INVALID_REPLY' });
    },
  );

  test.each([['SERIAL'], [5], [null]])('on USB is refused if it is chosen by %p', options => {
    const refused = expect.objectContaining({ code: 'INVALID_INPUT' });
    expect(() => new HidTransport(options as never)).toThrow(refused);
    expect(() => new UsbTransport(options as never)).toThrow(refused);
  });

  test('is refused in a session whose pollMs is not a number', () => {
    const pollMs = Number.NaN;
    const make = () => new SignerSession({ exchange, close: () => undefined }, { pollMs });
    expect(make).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
  });

  test.each([['a key in hex'], [new Uint8Array(31)], [undefined]])(
    'in software is refused if its key is %p',
    key => {
      const refused = expect.objectContaining({ code: 'INVALID_INPUT' });
      expect(() => new SoftwareSigner(key as never)).toThrow(refused);
    },
  );

  test.each([
    [undefined],
    ['127.0.0.1:9999'],
    [{}],
    [{ port: '9999' }],
    [{ port: Number.NaN }],
    [{ port: 0 }],
  ])('over TCP is refused if its address is %p', address => {
    expect(() => new TcpTransport(address as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringContaining('port') }),
    );
  });
});

test.each([
  [{ timeoutMs: Number.NaN }],
  [{ timeoutMs: '5' }],
  [{ timeoutMs: -1 }],
  [{ maxAnswerBytes: Number.NaN }],
  [{ maxAnswerBytes: '16' }],
  [{ fetch: 'node-fetch' }],
])('a gateway with the options %p is refused', options => {
  expect(() => new GatewayClient(fixture.url, options as object)).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT' }),
  );
});

test.each([[undefined], ['00'.repeat(32)], [[]]])('a transaction hash of %p is refused', async hash => {
  const gateway = new GatewayClient(fixture.url);
  const refused = { code: 'INVALID_INPUT', message: 'hash must be a Uint8Array' };
  await expect(gateway.transactionStatus(hash as never)).rejects.toMatchObject(refused);
  await expect(gateway.storedTransaction(hash as never)).rejects.toMatchObject(refused);
});
