import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DevelopmentChain } from '#devnet/node/chain/development-chain.js';
import { Store } from '#devnet/node/store/store.js';
import { type Draft, type Signed, Wallet } from '../../../../testkit/chain/wallet.js';
import { u64 } from '../../../../testkit/crypto/little-endian.js';
import { Archive } from '../../../../testkit/devnet/archive.js';
import { Network, START } from '../../../../testkit/devnet/network.js';
import { signPayment } from '../../../../testkit/devnet/payment.js';

const [alice, bob, carol] = [Wallet.numbered(1), Wallet.numbered(2), Wallet.numbered(3)];
const ESCROW = { approver: carol.account, commission: 7n, timeout: START + 60n };

describe('a transaction that was broadcast as JSON', () => {
  let network: Network;
  beforeEach(async () => {
    network = await Network.open();
    await network.fund(alice);
  });
  afterEach(() => network.close());

  test.each<[string, Partial<Draft>]>([
    ['nothing but a recipient and an amount', {}],
    ['a recipient of 20 bytes', { recipient: Buffer.from(`04000000${'d8'.repeat(20)}`, 'hex') }],
    ['a message', { message: Buffer.from('00ff68c3a9', 'hex') }],
    [
      'a body longer than any signer accepts',
      { fee: 10n ** 8n, body: Buffer.concat([u64(1n), Buffer.alloc(20_000, 7)]) },
    ],
    ['an escrow without an instruction', { escrow: ESCROW }],
    [
      'a long instruction and multi_party',
      { escrow: { ...ESCROW, instruction: `\ufeff${'дом'.repeat(999)}`, multiParty: true } },
    ],
  ])('is kept as the bytes that were signed: with %s', async (_what, changes) => {
    const { fields, hash, unsigned, signature } = network.send(alice, bob.account, 1n, changes);
    expect((await network.broadcast(fields)).status).toBe(202);
    const kept = network.chain.store.signed.get(hash);
    expect(Buffer.from(kept.unsigned)).toEqual(unsigned);
    expect(Buffer.from(kept.broadcast.signature)).toEqual(signature);
    const { body } = await network.get(`/api/v1/transactions/${hash}`);
    expect(body).toMatchObject({ ...fields, unsigned_hex: unsigned.toString('hex') });
    expect(network.chain.store.signed.sizeOf(hash)).toBe(unsigned.length + 64);
  });

  test('is kept as the same bytes by an archival node', async () => {
    const archive = await Archive.open();
    const signed = network.send(alice, bob.account, 1n, { escrow: { ...ESCROW, instruction: 'дом' } });
    await network.confirm(signed);
    await archive.follow(network);
    expect(Buffer.from(archive.chain.store.signed.get(signed.hash).unsigned)).toEqual(signed.unsigned);
    await archive.close();
  });
});

describe('a stored transaction', () => {
  let directory: string;
  let signed: Signed;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'zbc-test.'));
    const chain = await open();
    chain.grant({ kind: 0, payload: alice.publicKey });
    signed = signPayment(alice, bob, 5n);
    chain.submit(signed.fields);
    await chain.close();
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const open = () => DevelopmentChain.open(directory, Date.now, { namedChain: true });

  /** Changes the stored bytes of the payment. */
  async function alter(change: (unsigned: Uint8Array) => Uint8Array): Promise<void> {
    const store = new Store(directory);
    const { unsigned, ...rest } = store.signed.get(signed.hash);
    store.write(() => store.signed.put({ ...rest, unsigned: change(Uint8Array.from(unsigned)) }));
    await store.close();
  }

  test.each<[string, (unsigned: Uint8Array) => Uint8Array]>([
    ['in one bit', bytes => bytes.with(-5, bytes.at(-5)! ^ 1)],
    ['by the removal of a byte', bytes => bytes.subarray(0, -1)],
    ['by an added byte', bytes => Buffer.concat([bytes, Buffer.alloc(1)])],
    ['by the removal of all bytes', () => new Uint8Array(0)],
  ])(
    'that is altered %s before its confirmation prevents the directory from being opened',
    async (_how, change) => {
      await alter(change);
      await expect(open()).rejects.toMatchObject({
        code: 'DATA_BROKEN',
        message: `the data directory is broken: unconfirmed transaction ${signed.hash} is missing or altered`,
      });
    },
  );

  test('that is altered after its confirmation causes an error when it is read', async () => {
    const before = await open();
    before.produceBlock();
    before.produceBlock();
    await before.close();
    await alter(bytes => bytes.with(-5, bytes.at(-5)! ^ 1));
    const after = await open();
    expect(() => after.store.signed.get(signed.hash)).toThrow(/missing from the store or altered/);
    await after.close();
  });

  test('that is missing prevents the directory from being opened', async () => {
    const store = new Store(directory);
    store.write(() =>
      store.transactions.put('ab'.repeat(32), { sequence: 99n, stage: 'confirmed', height: 1n }),
    );
    await store.close();
    await expect(open()).rejects.toMatchObject({ code: 'DATA_BROKEN' });
  });
});
