import { type DraftEscrow, type Signed, Wallet } from '../../../../testkit/chain/wallet.js';
import { sha3 } from '../../../../testkit/crypto/sha3.js';
import { Network, START } from '../../../../testkit/devnet/network.js';
import { FEE, GRANT_ATOMS } from '../../../../testkit/devnet/payment.js';

const alice = Wallet.numbered(1);
const bob = Wallet.numbered(2);
const carol = Wallet.numbered(3);
const COMMISSION = 1_000n;
const AMOUNT = 250_000_000n;
const TIMEOUT = START + 600n;

let network: Network;
beforeEach(async () => {
  network = await Network.open();
  await network.fund(alice, carol);
});
afterEach(async () => {
  expect(network.errors).toEqual([]);
  await network.close();
});

const escrow = (changes: Partial<DraftEscrow> = {}): DraftEscrow => ({
  approver: carol.account,
  commission: COMMISSION,
  timeout: TIMEOUT,
  instruction: 'ship first',
  ...changes,
});

async function openEscrow(changes: Partial<DraftEscrow> = {}): Promise<string> {
  const signed = network.send(alice, bob.account, AMOUNT, { escrow: escrow(changes) });
  await network.confirm(signed);
  return signed.hash;
}

async function stateOf(hash: string): Promise<unknown> {
  return (await network.get(`/api/v1/transactions/${hash}`)).body.escrow_status;
}

async function refusal({ fields }: Signed): Promise<unknown> {
  const { status, body } = await network.broadcast(fields);
  expect(status).toBe(400);
  return String(body.error).replace('Transaction validation failed: ValidationError: ', '');
}

describe('an escrow', () => {
  test('holds amount and commission from its confirmation on', async () => {
    const signed = network.send(alice, bob.account, AMOUNT, { escrow: escrow() });
    await network.broadcast(signed.fields);
    expect(await stateOf(signed.hash)).toBeUndefined();
    const left = GRANT_ATOMS - AMOUNT - COMMISSION - FEE;
    expect(await network.balances(alice)).toEqual([GRANT_ATOMS, left, AMOUNT + COMMISSION + FEE]);
    network.blocks(2);
    expect(await stateOf(signed.hash)).toBe('held');
    expect(await network.balances(alice)).toEqual([GRANT_ATOMS - FEE, left, AMOUNT + COMMISSION]);
    expect((await network.get(`/api/v1/accounts/${bob.hex}`)).status).toBe(404);
  });

  test('pays the recipient and the approver when approved', async () => {
    const hash = await openEscrow();
    await network.confirm(network.decide(carol, hash, 0));
    expect(await stateOf(hash)).toBe('approved');
    const left = GRANT_ATOMS - AMOUNT - COMMISSION - FEE;
    expect(await network.balances(alice)).toEqual([left, left, 0n]);
    expect(await network.balances(bob)).toEqual([AMOUNT, AMOUNT, 0n]);
    const earned = GRANT_ATOMS - FEE + COMMISSION;
    expect(await network.balances(carol)).toEqual([earned, earned, 0n]);
  });

  test('gives amount and commission back when rejected', async () => {
    const hash = await openEscrow();
    await network.confirm(network.decide(carol, hash, 1));
    expect(await stateOf(hash)).toBe('rejected');
    expect(await network.balances(alice)).toEqual([GRANT_ATOMS - FEE, GRANT_ATOMS - FEE, 0n]);
    expect(await network.balances(carol)).toEqual([GRANT_ATOMS - FEE, GRANT_ATOMS - FEE, 0n]);
    expect((await network.get(`/api/v1/accounts/${bob.hex}`)).status).toBe(404);
  });

  test('gives amount and commission back in the first block after its timeout', async () => {
    const hash = await openEscrow();
    network.timestamp = TIMEOUT;
    network.blocks(1);
    expect(await stateOf(hash)).toBe('held');
    network.timestamp = TIMEOUT + 1n;
    network.blocks(1);
    expect(await stateOf(hash)).toBe('expired');
    expect(await network.balances(alice)).toEqual([GRANT_ATOMS - FEE, GRANT_ATOMS - FEE, 0n]);
  });

  test('expires at once when its block is made after its timeout', async () => {
    const { fields, hash } = network.send(alice, bob.account, AMOUNT, { escrow: escrow() });
    await network.broadcast(fields);
    network.timestamp = TIMEOUT + 1n;
    network.blocks(2);
    expect(await stateOf(hash)).toBe('expired');
    expect(await network.balances(alice)).toEqual([GRANT_ATOMS - FEE, GRANT_ATOMS - FEE, 0n]);
  });

  test('never expires with the latest possible timeout', async () => {
    const hash = await openEscrow({ timeout: 2n ** 64n - 1n });
    network.timestamp += 10_000_000_000n;
    network.blocks(1);
    expect(await stateOf(hash)).toBe('held');
  });

  test('of a token holds the tokens and takes the commission in coins', async () => {
    const signed = network.transfer(alice, bob.account, 2n, 4n, { escrow: escrow() });
    await network.confirm(signed);
    expect(await network.tokenBalances(alice, 2n)).toEqual([10n, 6n, 4n]);
    expect(await network.balances(alice)).toEqual([
      GRANT_ATOMS - FEE,
      GRANT_ATOMS - FEE - COMMISSION,
      COMMISSION,
    ]);
    await network.confirm(network.decide(carol, signed.hash, 0));
    expect(await network.tokenBalances(bob, 2n)).toEqual([4n, 4n, 0n]);
    expect(await network.tokenBalances(alice, 2n)).toEqual([6n, 6n, 0n]);
    const earned = GRANT_ATOMS - FEE + COMMISSION;
    expect(await network.balances(carol)).toEqual([earned, earned, 0n]);
  });

  test('of a token gives the tokens back when rejected', async () => {
    const signed = network.transfer(alice, bob.account, 2n, 10n, { escrow: escrow() });
    await network.confirm(signed);
    expect(await network.tokenBalances(alice, 2n)).toEqual([10n, 0n, 10n]);
    await network.confirm(network.decide(carol, signed.hash, 1));
    expect(await network.tokenBalances(alice, 2n)).toEqual([10n, 10n, 0n]);
  });

  test('may have its sender as approver and recipient', async () => {
    const signed = network.send(alice, alice.account, AMOUNT, {
      escrow: escrow({ approver: alice.account }),
    });
    await network.confirm(signed);
    await network.confirm(network.decide(alice, signed.hash, 0));
    expect(await network.balances(alice)).toEqual([GRANT_ATOMS - 2n * FEE, GRANT_ATOMS - 2n * FEE, 0n]);
  });

  test('can be rebuilt for its approver from the transaction route', async () => {
    const { fields, unsigned, signature, hash } = network.send(alice, bob.account, AMOUNT, {
      escrow: escrow(),
    });
    await network.broadcast(fields);
    const { body } = await network.get(`/api/v1/transactions/${hash.toUpperCase()}`);
    expect(body.unsigned_hex).toBe(unsigned.toString('hex'));
    const linked = Buffer.concat([
      Buffer.from(String(body.unsigned_hex), 'hex'),
      Buffer.from(String(body.signature), 'hex'),
    ]);
    expect(linked).toEqual(Buffer.concat([unsigned, signature]));
    expect(sha3(linked).toString('hex')).toBe(hash);
  });

  test('requires a balance that covers amount, fee and commission', async () => {
    const most = GRANT_ATOMS - FEE - COMMISSION;
    expect(await refusal(network.send(alice, bob.account, most + 1n, { escrow: escrow() }))).toMatch(
      /^insufficient balance/,
    );
    await network.confirm(network.send(alice, bob.account, most, { escrow: escrow() }));
  });

  test.each<[string, Partial<DraftEscrow>, RegExp]>([
    ['a timeout at its timestamp', { timeout: START }, /^escrow timeout must be after/],
    [
      'an approver of another length',
      { approver: Buffer.concat([Buffer.from('04000000', 'hex'), Buffer.alloc(20)]) },
      /^escrow approver/,
    ],
    [
      'no approver',
      { approver: Buffer.concat([Buffer.from('02000000', 'hex'), Buffer.alloc(32)]) },
      /^invalid account/,
    ],
  ])('is refused with %s', async (_what, changes, reason) => {
    expect(await refusal(network.send(alice, bob.account, AMOUNT, { escrow: escrow(changes) }))).toMatch(
      reason,
    );
  });

  test('is refused when its timeout has passed already', async () => {
    const signed = network.send(alice, bob.account, AMOUNT, {
      timestamp: START - 100n,
      escrow: escrow({ timeout: START - 1n }),
    });
    expect(await refusal(signed)).toBe('escrow timeout has passed');
  });

  test('is refused when the next block would return it because the clock was set back', async () => {
    network.timestamp = START + 3600n;
    network.blocks(1);
    network.timestamp = START;
    const late = { escrow: escrow({ timeout: START + 3600n }) };
    expect(await refusal(network.send(alice, bob.account, AMOUNT, late))).toBe(
      `escrow timeout is not after the newest block's time ${START + 3600n}`,
    );
    expect(await stateOf(await openEscrow({ timeout: START + 3601n }))).toBe('held');
  });
});

describe('the decision on an escrow', () => {
  test('is accepted until the timeout and refused after it', async () => {
    const [first, second] = [await openEscrow(), await openEscrow({ commission: 1n })];
    network.timestamp = TIMEOUT;
    await network.confirm(network.decide(carol, first, 0));
    network.timestamp = TIMEOUT + 1n;
    expect(await refusal(network.decide(carol, second, 0))).toBe('escrow has expired');
  });

  test('counts if it was accepted in time, even if its block is made after the timeout', async () => {
    const hash = await openEscrow();
    network.timestamp = TIMEOUT;
    await network.broadcast(network.decide(carol, hash, 0).fields);
    network.timestamp = TIMEOUT + 60n;
    network.blocks(2);
    expect(await stateOf(hash)).toBe('approved');
  });

  test('is refused for an escrow that does not exist', async () => {
    expect(await refusal(network.decide(carol, '77'.repeat(32), 0))).toMatch(/^escrow does not exist/);
  });

  test('is refused before the escrow is confirmed', async () => {
    const { fields, hash } = network.send(alice, bob.account, AMOUNT, { escrow: escrow() });
    await network.broadcast(fields);
    expect(await refusal(network.decide(carol, hash, 0))).toMatch(/^escrow does not exist/);
  });

  test('is refused for a transaction without an escrow', async () => {
    const signed = network.send(alice, bob.account, AMOUNT);
    await network.confirm(signed);
    expect(await refusal(network.decide(carol, signed.hash, 0))).toMatch(/^escrow does not exist/);
  });

  test('is refused from anyone but the approver', async () => {
    expect(await refusal(network.decide(alice, await openEscrow(), 0))).toBe(
      "sender is not the escrow's approver",
    );
  });

  test('is refused a second time, whether the first decision is waiting or confirmed', async () => {
    const hash = await openEscrow();
    await network.broadcast(network.decide(carol, hash, 0).fields);
    expect(await refusal(network.decide(carol, hash, 1))).toMatch(/^escrow is already decided/);
    network.blocks(2);
    expect(await refusal(network.decide(carol, hash, 1))).toBe('escrow is already approved');
  });

  test('is refused after the escrow expired', async () => {
    const hash = await openEscrow();
    network.timestamp = TIMEOUT + 1n;
    network.blocks(1);
    expect(await refusal(network.decide(carol, hash, 0))).toBe('escrow is already expired');
  });

  test.each([2, 256, 65_536, 2 ** 31])(
    'is refused with the value %i, neither approve nor reject',
    async value => {
      expect(await refusal(network.decide(carol, await openEscrow(), value))).toMatch(/^approval must be/);
    },
  );

  test('is refused with a body of 12 bytes, as in an older format', async () => {
    expect(await refusal(network.decide(carol, '', 0, { body: Buffer.alloc(12) }))).toMatch(
      /^ApprovalEscrow body must be 36/,
    );
  });

  test('is rejected if its approver is an account of 24 bytes', async () => {
    const approver = Buffer.concat([Buffer.from('04000000', 'hex'), Buffer.alloc(20, 0xd8)]);
    const signed = network.send(alice, bob.account, AMOUNT, { escrow: escrow({ approver }) });
    expect(await refusal(signed)).toMatch(/approver is not a 36-byte account/);
  });

  test('is rejected with a recipient or an escrow', async () => {
    const hash = await openEscrow();
    expect(await refusal(network.decide(carol, hash, 0, { recipient: bob.account }))).toMatch(
      /must not have a recipient/,
    );
    expect(await refusal(network.decide(carol, hash, 0, { escrow: escrow() }))).toMatch(
      /must not have an escrow/,
    );
  });
});
