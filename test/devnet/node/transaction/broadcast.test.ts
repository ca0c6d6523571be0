import { generateKeyPairSync } from 'node:crypto';
import { encodeAddress } from '@zbc-signer/chain';
import { admit } from '#devnet/node/ledger/mempool.js';
import { decodeSigned } from '#devnet/node/transaction/signed-transaction.js';
import {
  type Draft,
  type Fields,
  i64,
  NO_ACCOUNT,
  signDraft,
  Wallet,
} from '../../../../testkit/chain/wallet.js';
import { u64 } from '../../../../testkit/crypto/little-endian.js';
import { Network, START } from '../../../../testkit/devnet/network.js';
import { FEE, GENESIS, GRANT_ATOMS } from '../../../../testkit/devnet/payment.js';

const alice = Wallet.numbered(1);
const bob = Wallet.numbered(2);
const stranger = Wallet.numbered(3);
const PREFIX = 'Transaction validation failed: ValidationError: ';
const INVALID_SIGNATURE = `${PREFIX}Invalid transaction signature`;

let network: Network;
beforeEach(async () => {
  network = await Network.open();
  await network.fund(alice);
});
afterEach(async () => {
  expect(network.errors).toEqual([]);
  await network.close();
});

/**
 * Adds 5000 signed payments of 1, 2, 3 … 5000 atomic units to the stranger. They are admitted together,
 * without checking each signature again.
 */
async function fillMempool(): Promise<void> {
  await network.fund(bob);
  const payments = Array.from({ length: 5000 }, (_, at) =>
    network.send(at % 2 === 0 ? alice : bob, stranger.account, BigInt(at + 1)),
  );
  const { store } = network.chain;
  const conditions = { timestamp: START, blockTimestamp: START, feeScale: 1n };
  store.write(() => {
    for (const { unsigned, signature } of payments) {
      admit(store, conditions, decodeSigned(unsigned, signature), 'staging');
    }
  });
}

async function refusal(fields: Fields): Promise<string> {
  const { status, body } = await network.broadcast(fields);
  expect({ status, success: body.success, code: body.code }).toEqual({
    status: 400,
    success: false,
    code: 400n,
  });
  expect(body.error).toMatch(/^Transaction validation failed: ValidationError: /);
  return String(body.error).slice(PREFIX.length);
}

describe('an accepted broadcast', () => {
  test('is answered 202 with the hash that the signer computes', async () => {
    const { fields, hash } = network.send(alice, bob.account, 1n);
    expect(await network.broadcast(fields)).toMatchObject({
      status: 202,
      body: { status: 'success', duplicate: false, transaction_hash: hash },
    });
  });

  test('goes from staging to mempool to confirmed', async () => {
    const { fields, hash } = network.send(alice, bob.account, 150_000_000n);
    const status = async () => (await network.get(`/api/v1/transactions/${hash}/status`)).body;
    await network.broadcast(fields);
    expect(await status()).toEqual({ transaction_hash: hash, status: 'staging' });
    network.blocks(1);
    expect(await status()).toEqual({ transaction_hash: hash, status: 'mempool', mempool_position: 1n });
    network.blocks(1);
    expect(await status()).toEqual({ transaction_hash: hash, status: 'confirmed', block_height: 3n });
  });

  test('counts as spent at once and as paid when confirmed', async () => {
    await network.broadcast(network.send(alice, bob.account, 150_000_000n).fields);
    const left = GRANT_ATOMS - 150_000_000n - FEE;
    expect(await network.balances(alice)).toEqual([GRANT_ATOMS, left, 150_000_000n + FEE]);
    expect((await network.get(`/api/v1/accounts/${bob.hex}`)).status).toBe(404);
    network.blocks(2);
    expect(await network.balances(alice)).toEqual([left, left, 0n]);
    expect(await network.balances(bob)).toEqual([150_000_000n, 150_000_000n, 0n]);
  });

  test('is a duplicate if it is sent again, at any stage and even after the time window of its timestamp', async () => {
    const { fields, hash } = network.send(alice, bob.account, 9_900_000_000n);
    await network.broadcast(fields);
    for (const later of [0n, 0n, 0n, 7200n]) {
      network.timestamp += later;
      const { status, body } = await network.broadcast(fields);
      expect([status, body]).toEqual([202, { status: 'success', duplicate: true, transaction_hash: hash }]);
      network.blocks(1);
    }
    expect(await network.balances(bob)).toEqual([9_900_000_000n, 9_900_000_000n, 0n]);
  });

  test('may pay an account of another kind', async () => {
    const ethereum = Buffer.concat([Buffer.from('04000000', 'hex'), Buffer.alloc(20, 0xd8)]);
    await network.confirm(network.send(alice, ethereum, 5n));
    const { body } = await network.get(`/api/v1/accounts/${ethereum.toString('hex')}`);
    expect(body).toMatchObject({ address: ethereum.toString('hex'), balance: 5n });
  });

  test('may pay its own sender', async () => {
    await network.confirm(network.send(alice, alice.account, 5n));
    expect(await network.balances(alice)).toEqual([GRANT_ATOMS - FEE, GRANT_ATOMS - FEE, 0n]);
  });

  test('may have a SendZBC body longer than 8 bytes, whose tail is ignored', async () => {
    await network.confirm(
      network.send(alice, bob.account, 7n, { body: Buffer.concat([u64(7n), Buffer.from('tail')]) }),
    );
    expect(await network.balances(bob)).toEqual([7n, 7n, 0n]);
  });

  test('may use either letter case in hex, contain unknown fields, and leave empty ones null', async () => {
    const { fields } = network.send(alice, bob.account, 1n);
    const upper = Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.toUpperCase() : value,
    ]);
    const { status } = await network.broadcast({
      ...Object.fromEntries(upper),
      escrow: null,
      message_hex: null,
      more: [1],
    });
    expect(status).toBe(202);
  });

  test('may carry a message, an instruction in UTF-8 and the multi-party flag', async () => {
    const escrow = {
      approver: bob.account,
      commission: 1n,
      timeout: START + 60n,
      instruction: 'дом «A»',
      multiParty: true,
    };
    await network.confirm(network.send(alice, bob.account, 1n, { escrow, message: Buffer.from('hello') }));
  });

  test.each([true, 1n])('may contain multi_party as %s', async multi_party => {
    const escrow = { approver: bob.account, commission: 1n, timeout: START + 60n, multiParty: true };
    const { fields } = network.send(alice, bob.account, 1n, { escrow });
    expect(
      (await network.broadcast({ ...fields, escrow: { ...(fields.escrow as Fields), multi_party } })).status,
    ).toBe(202);
  });

  test('may name the approver by address', async () => {
    const escrow = { approver: bob.account, commission: 1n, timeout: START + 60n };
    const { fields } = network.send(alice, bob.account, 1n, { escrow });
    const approver_address = encodeAddress(bob.publicKey);
    expect(
      (await network.broadcast({ ...fields, escrow: { ...(fields.escrow as Fields), approver_address } }))
        .status,
    ).toBe(202);
  });
});

describe('the signature check', () => {
  const signatureError = async (fields: Fields) =>
    expect(await network.broadcast(fields)).toMatchObject({
      status: 400,
      body: { success: false, error: INVALID_SIGNATURE, code: 400n },
    });

  test.each<[string, Fields]>([
    ['version', { version: 2n }],
    ['timestamp', { timestamp: START + 1n }],
    ['type', { transaction_type: 11n }],
    ['fee', { fee: FEE + 1n }],
    ['sender', { sender_account_address: Wallet.numbered(2).hex }],
    ['sender kind', { sender_account_address: `03000000${Wallet.numbered(1).hex.slice(8)}` }],
    ['sender length', { sender_account_address: Wallet.numbered(1).hex.slice(0, 70) }],
    ['recipient', { recipient_account_address: Wallet.numbered(3).hex }],
    ['body', { transaction_body_bytes: '0200000000000000' }],
    ['signature', { signature: '00'.repeat(64) }],
    ['signature length', { signature: '00'.repeat(63) }],
    ['message', { message_hex: '00' }],
    ['escrow', { escrow: { approver_address: Wallet.numbered(2).hex, commission: 0n, timeout: START + 9n } }],
  ])('finds a wrong %s', async (_what, change) => {
    await signatureError({ ...network.send(alice, bob.account, 1n).fields, ...change });
  });

  test.each<[string, Fields]>([
    ['commission', { commission: 2n }],
    ['timeout', { timeout: START + 61n }],
    ['instruction', { instruction: 'other' }],
    ['instruction left out', { instruction: undefined }],
    ['multi_party', { multi_party: true }],
    ['approver', { approver_address: Wallet.numbered(3).hex }],
  ])('finds a wrong escrow %s', async (_what, change) => {
    const escrow = { approver: bob.account, commission: 1n, timeout: START + 60n, instruction: 'one' };
    const { fields } = network.send(alice, bob.account, 1n, { escrow });
    await signatureError({ ...fields, escrow: { ...(fields.escrow as Fields), ...change } });
  });

  test('finds that a signature is for another chain', async () => {
    const draft = {
      version: 1n,
      timestamp: START,
      type: 1n,
      fee: FEE,
      sender: alice.account,
      recipient: bob.account,
    };
    const whole = { ...draft, body: u64(1n), message: Buffer.alloc(0) };
    await signatureError(signDraft(whole, alice, Buffer.alloc(32, 0x5a)).fields);
    expect((await network.broadcast(signDraft(whole, alice, GENESIS).fields)).status).toBe(202);
  });

  test('precedes every other rule', async () => {
    const { fields } = network.send(stranger, NO_ACCOUNT, 1n, {
      version: 9n,
      fee: 0n,
      timestamp: 0n,
      body: Buffer.alloc(0),
    });
    await signatureError({ ...fields, signature: '11'.repeat(64) });
  });

  test('accepts a signature with any key that another library generated', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const fresh = new Wallet(privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32));
    await network.fund(fresh);
    expect((await network.broadcast(network.send(fresh, bob.account, 1n).fields)).status).toBe(202);
  });
});

describe('the rules after the signature', () => {
  test('refuse a version other than 1', async () => {
    expect(await refusal(network.send(alice, bob.account, 1n, { version: 2n }).fields)).toBe(
      'transaction version must be 1',
    );
  });

  test('refuse a sender that was never paid', async () => {
    expect(await refusal(network.send(stranger, bob.account, 1n).fields)).toBe(
      'sender account does not exist',
    );
  });

  test('refuse a fee below the minimum and accept the minimum', async () => {
    expect(await refusal(network.send(alice, bob.account, 1n, { fee: FEE - 1n }).fields)).toMatch(
      /^fee too low/,
    );
    expect((await network.broadcast(network.send(alice, bob.account, 1n, { fee: FEE }).fields)).status).toBe(
      202,
    );
  });

  test('require the fee that estimate-fee reports for a long body', async () => {
    const body = Buffer.alloc(100, 1);
    body.fill(0, 1);
    const { body: estimate } = await network.get('/api/v1/blockchain/estimate-fee?type=1&body_length=100');
    const fee = estimate.minimum_fee as bigint;
    expect(await refusal(network.send(alice, bob.account, 1n, { body, fee: fee - 1n }).fields)).toMatch(
      /^fee too low/,
    );
    expect((await network.broadcast(network.send(alice, bob.account, 1n, { body, fee }).fields)).status).toBe(
      202,
    );
  });

  test('refuse one atomic unit more than the balance and accept all of it', async () => {
    const all = GRANT_ATOMS - FEE;
    expect(await refusal(network.send(alice, bob.account, all + 1n).fields)).toMatch(/^insufficient balance/);
    await network.confirm(network.send(alice, bob.account, all));
    expect(await network.balances(alice)).toEqual([0n, 0n, 0n]);
  });

  test('count what unconfirmed transactions spend', async () => {
    await network.broadcast(network.send(alice, bob.account, 6_000_000_000n).fields);
    expect(await refusal(network.send(alice, bob.account, 4_000_000_000n).fields)).toMatch(
      /^insufficient balance/,
    );
  });

  test('refuse amounts whose sum exceeds 64 bits', async () => {
    const most = 2n ** 64n - 1n;
    expect(await refusal(network.send(alice, bob.account, most, { fee: most }).fields)).toMatch(
      /^insufficient balance/,
    );
  });

  test.each([-3600n, 3600n])('accept a timestamp %s seconds away', async offset => {
    const { fields } = network.send(alice, bob.account, 1n, { timestamp: START + offset });
    expect((await network.broadcast(fields)).status).toBe(202);
  });

  test.each([
    [-3601n, /^timestamp too old/],
    [3601n, /^timestamp too far ahead/],
    [2n ** 64n - 1n - START, /^timestamp too far ahead/],
  ])('refuse a timestamp %s seconds away', async (offset, reason) => {
    expect(await refusal(network.send(alice, bob.account, 1n, { timestamp: START + offset }).fields)).toMatch(
      reason,
    );
  });

  test('refuse a transaction type that this network does not support', async () => {
    expect(
      await refusal(network.sign(alice, { type: 258n, recipient: bob.account, body: u64(1n) }).fields),
    ).toMatch(/^transaction type 258 is not supported/);
  });

  test('refuse a message of 257 bytes and accept one of 256', async () => {
    expect(
      await refusal(network.send(alice, bob.account, 1n, { message: Buffer.alloc(257) }).fields),
    ).toMatch(/^message is 257/);
    expect(
      (await network.broadcast(network.send(alice, bob.account, 1n, { message: Buffer.alloc(256) }).fields))
        .status,
    ).toBe(202);
  });

  test.each<[string, Buffer]>([
    ['missing', NO_ACCOUNT],
    ['of an unknown kind', Buffer.concat([Buffer.from('11000000', 'hex'), Buffer.alloc(32)])],
    ['too long', Buffer.concat([bob.account, Buffer.alloc(1)])],
    ['too short', bob.account.subarray(0, 35)],
    ['empty', Buffer.alloc(0)],
  ])('refuse a recipient that is %s', async (_what, recipient) => {
    expect(await refusal(network.send(alice, recipient, 1n).fields)).toMatch(/recipient|account/);
  });

  test('refuse a SendZBC body of 7 bytes', async () => {
    expect(await refusal(network.send(alice, bob.account, 1n, { body: Buffer.alloc(7) }).fields)).toMatch(
      /^SendZBC body/,
    );
  });
});

describe('the order of the rules', () => {
  test('determines which of several broken rules is reported', async () => {
    const poor = Wallet.numbered(4);
    await network.confirm(network.send(alice, poor.account, 1n));
    const broken: Partial<Draft> = { version: 2n, fee: 0n, timestamp: 1n, message: Buffer.alloc(257) };
    const reasons: [cured: Partial<Draft>, reason: RegExp][] = [
      [{}, /^transaction version/],
      [{ version: 1n }, /^sender account does not exist/],
      [{}, /^fee too low/],
      [{ fee: FEE }, /^insufficient balance:/],
      [{}, /^timestamp too old/],
      [{ timestamp: START }, /^message is 257/],
      [{ message: Buffer.alloc(0) }, /^token 99 does not exist/],
    ];
    const senders = [stranger, stranger, poor, poor, alice, alice, alice];
    for (const [at, [cured, reason]] of reasons.entries()) {
      Object.assign(broken, cured);
      expect(await refusal(network.transfer(senders[at]!, bob.account, 99n, 1n, broken).fields)).toMatch(
        reason,
      );
    }
  });

  test('ends with the check for a full mempool, which is answered 503', async () => {
    await fillMempool();
    expect(await refusal(network.send(alice, bob.account, 1n, { fee: 0n }).fields)).toMatch(/^fee too low/);
    expect(await network.broadcast(network.send(alice, bob.account, 1n).fields)).toMatchObject({
      status: 503,
      body: { success: false, error: 'The mempool is full: try again after the next block', code: 503n },
    });
    network.blocks(2);
    expect(await network.balances(stranger)).toEqual([12_502_500n, 12_502_500n, 0n]);
    expect((await network.broadcast(network.send(alice, bob.account, 1n).fields)).status).toBe(202);
  });
});

describe('the rules of tokens', () => {
  test('move tokens and take the fee in coins', async () => {
    await network.confirm(network.transfer(alice, bob.account, 1n, 500n));
    expect(await network.tokenBalances(alice, 1n)).toEqual([2_499_999_500n, 2_499_999_500n, 0n]);
    expect(await network.tokenBalances(bob, 1n)).toEqual([500n, 500n, 0n]);
    expect(await network.balances(alice)).toEqual([GRANT_ATOMS - FEE, GRANT_ATOMS - FEE, 0n]);
    expect(await network.balances(bob)).toEqual([0n, 0n, 0n]);
  });

  test('accept a 17-byte body whose last byte is 0', async () => {
    const body = Buffer.concat([i64(2n), i64(3n), Buffer.from([0])]);
    await network.confirm(network.transfer(alice, bob.account, 0n, 0n, { body }));
    expect(await network.tokenBalances(bob, 2n)).toEqual([3n, 3n, 0n]);
  });

  test.each<[string, Buffer, RegExp]>([
    ['fee_in_token', Buffer.concat([i64(2n), i64(3n), Buffer.from([1])]), /^fee_in_token must be 0/],
    ['a body of 15 bytes', Buffer.alloc(15, 1), /^TransferToken body/],
    ['a body of 18 bytes', Buffer.alloc(18, 1), /^TransferToken body/],
    ['a negative amount', Buffer.concat([i64(2n), i64(-1n)]), /^token amount is negative/],
    ['the native coin', Buffer.concat([i64(0n), i64(1n)]), /^token 0 does not exist/],
    ['an unknown token', Buffer.concat([i64(15n), i64(1n)]), /^token 15 does not exist/],
    [
      'an unknown token, and report all digits of its id',
      Buffer.concat([i64(-(2n ** 63n)), i64(1n)]),
      /^token -9223372036854775808 does/,
    ],
    [
      'a token that the sender does not have',
      Buffer.concat([i64(3n), i64(1n)]),
      /^insufficient balance of token 3/,
    ],
    [
      'one unit more than the sender has',
      Buffer.concat([i64(2n), i64(11n)]),
      /^insufficient balance of token 2/,
    ],
  ])('refuse %s', async (_what, body, reason) => {
    expect(await refusal(network.transfer(alice, bob.account, 0n, 0n, { body }).fields)).toMatch(reason);
  });

  test('count what unconfirmed transfers spend', async () => {
    await network.broadcast(network.transfer(alice, bob.account, 2n, 6n).fields);
    expect(await network.tokenBalances(alice, 2n)).toEqual([10n, 4n, 6n]);
    expect(await refusal(network.transfer(alice, bob.account, 2n, 5n).fields)).toMatch(
      /^insufficient balance of token 2/,
    );
  });
});

describe('the fields of a broadcast', () => {
  test.each<[string, unknown]>([
    ['version', '1'],
    ['version', 256n],
    ['version', undefined],
    ['timestamp', 1.5],
    ['timestamp', -1n],
    ['timestamp', null],
    ['transaction_type', 2n ** 32n],
    ['fee', 2n ** 64n],
    ['fee', '2500000'],
    ['fee', true],
    ['sender_account_address', 5n],
    ['recipient_account_address', 'xy'],
    ['transaction_body_bytes', '123'],
    ['signature', ['00']],
    ['signature', undefined],
    ['message_hex', 'zz'],
    ['escrow', 'none'],
    ['escrow', []],
  ])('are checked: %s cannot be %p', async (name, value) => {
    expect(await refusal({ ...network.send(alice, bob.account, 1n).fields, [name]: value })).toContain(
      `${name} must be`,
    );
  });

  test.each<[string, unknown, string]>([
    ['approver_address', 1n, 'must be a string'],
    ['approver_address', 'ZNK_AAAA', "is not valid: the address starts with ZNK: a node's address"],
    ['commission', -1n, 'must be an integer'],
    ['timeout', '9', 'must be an integer'],
    ['timeout', undefined, 'must be an integer'],
    ['instruction', 3n, 'must be a string'],
    ['multi_party', 2n, 'must be true, false, 0 or 1'],
  ])('are checked in the escrow: %s cannot be %p', async (name, value, reason) => {
    const escrow = { approver_address: bob.hex, commission: 0n, timeout: START + 60n, [name]: value };
    const fields = { ...network.send(alice, bob.account, 1n).fields, escrow };
    expect(await refusal(fields)).toContain(`escrow.${name} ${reason}`);
  });

  test('are not read from prototypes', async () => {
    const { version: _version, ...rest } = network.send(alice, bob.account, 1n).fields;
    expect(await refusal({ ...rest, ['__proto__']: { version: 1n } })).toContain('version must be');
  });

  test('keep all digits of a 64-bit integer', async () => {
    const timestamp = 2n ** 64n - 1n;
    expect(await refusal(network.send(alice, bob.account, 1n, { timestamp }).fields)).toMatch(/^timestamp/);
    const fee = 2n ** 53n + 1n;
    expect(await refusal(network.send(alice, bob.account, 1n, { fee }).fields)).toMatch(
      /^insufficient balance: 90071992\.54740994/,
    );
  });

  test('must be in an object', async () => {
    for (const json of ['null', '[]', '5', '"x"']) {
      const { status, body } = await network.postText('/api/v1/transactions', json);
      expect([status, body.error]).toEqual([400, `${PREFIX}the request body must be an object`]);
    }
  });
});
