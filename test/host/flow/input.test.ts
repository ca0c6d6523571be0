import { type Draft, GatewayClient, prepareTransaction, signTransaction } from '@zbc-signer/host';
import { FlowFixture, keyOf, OWN, SENT, sendDraft } from './flow-fixture.js';

const ATOMS = 'must be a bigint of atomic units';
const BYTES = 'must be a Uint8Array';
const ACCOUNT = 'must be an account: use parseAccount';
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
  ({ type: 4, approval: 0, escrowHash: HASH, ...changes }) as unknown as Draft;

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

/** Neither the device nor the gateway is asked for anything. */
async function expectRefused(draft: Draft, options: object, message: string): Promise<void> {
  const refused = { code: 'INVALID_INPUT', message };
  await expect(fixture.run(draft, undefined, { signer, ...options })).rejects.toMatchObject(refused);
  await expect(prepare(draft, options)).rejects.toMatchObject(refused);
  expect(keysRead).toBe(0);
  expect(fixture.gateway.requests).toEqual([]);
}

test.each([['0.1'], ['1'], [''], [Number.NaN], [1], [100_000_000], [{}], [null], [true]])(
  'a maxFee of %p limits nothing, and is refused',
  async maxFee => {
    await expectRefused(sendDraft(), { maxFee }, `maxFee ${ATOMS}`);
  },
);

test('a chain in hex pins none, and is refused', async () => {
  const expectedGenesisHash = '00'.repeat(32);
  await expectRefused(sendDraft(), { expectedGenesisHash }, `expectedGenesisHash ${BYTES}`);
});

test('a transaction that was prepared is not signed under a maxFee of another type', async () => {
  const clock = { now: () => Number(SENT.timestamp) * 1000, sleep: async () => undefined };
  const prepared = await prepare(sendDraft(), { clock, sent: fixture.sent });
  const signing = signTransaction(prepared, { signer, clock, ...({ maxFee: '0.1' } as object) });
  await expect(signing).rejects.toMatchObject({ code: 'INVALID_INPUT', message: `maxFee ${ATOMS}` });
  const changed = { ...prepared.transaction, fee: 2_500_000.5 as unknown as bigint };
  const signingChanged = signTransaction({ ...prepared, transaction: changed }, { signer, clock });
  await expect(signingChanged).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});

test.each<[string, Draft, string]>([
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
  ['a hash in hex', approvalDraft({ escrowHash: '00'.repeat(32) }), `escrowHash ${BYTES}`],
])('a draft with %s is refused', async (_name, draft, message) => {
  await expectRefused(draft, {}, message);
});

test.each<[string, object, string]>([
  ['approver', { approver: OWN.address }, ACCOUNT],
  ['commission', { commission: '1' }, ATOMS],
  ['timeout', { timeout: 2_000_000_000 }, 'must be a bigint of Unix seconds'],
  ['instruction', { instruction: 'ship first' }, BYTES],
])('an escrow with a %s of another type is refused', async (field, changes, message) => {
  await expectRefused(sendDraft({ escrow: { ...ESCROW, ...changes } }), {}, `${field} ${message}`);
});

test.each([
  [sendDraft({ type: undefined })],
  [sendDraft({ type: '1' })],
  [sendDraft({ type: 3 })],
  [undefined],
])('draft %# has no type that a signer signs', async draft => {
  await expectRefused(draft as Draft, {}, 'type must be one of TransactionType');
});
