import { decodeTransaction } from '@zbc-signer/chain';
import { answer } from '../../../testkit/gateway/fake-gateway.js';
import {
  codeOf,
  FlowFixture,
  LIST,
  NOT_FOUND,
  OWN,
  POST,
  refusal,
  SENT,
  STATUS,
  sendDraft,
} from '../../../testkit/gateway/flow-fixture.js';

let fixture: FlowFixture;
beforeEach(async () => {
  fixture = await FlowFixture.start();
  fixture.gateway.on(POST, refusal('stop here'));
});
afterEach(() => fixture.gateway.stop());

/** Returns the timestamps of the signed transactions, relative to the clock. */
const delays = () =>
  fixture.asked.map(({ transaction }) => decodeTransaction(transaction).timestamp - SENT.timestamp);

test('equal payments in the same second, one after the other or at once, get different timestamps', async () => {
  await codeOf(fixture.run(sendDraft()));
  const again = () => fixture.run(sendDraft(), undefined, { paysAgain: true });
  await Promise.all([1, 2, 3].map(() => codeOf(again())));
  expect(delays().sort()).toEqual([0n, 1n, 2n, 3n]);
});

test('different payments in the same second keep the current time', async () => {
  for (const changes of [{}, { amount: 1n }, { message: Uint8Array.of(65) }]) {
    fixture.sleptMs = 0;
    await codeOf(fixture.run(sendDraft(changes), undefined, { paysAgain: true }));
  }
  expect(delays()).toEqual([0n, 0n, 0n]);
});

test('a payment that was not signed leaves its timestamp to the next payment', async () => {
  const signer = {
    getPublicKey: async () => ({ publicKey: SENT.sender.payload, address: OWN.address }),
    signTransaction: () => Promise.reject(new Error('rejected')),
  };
  await codeOf(fixture.run(sendDraft(), undefined, { signer }));
  await codeOf(fixture.run(sendDraft()));
  expect(delays()).toEqual([0n]);
});

describe('the recent transactions of the account', () => {
  const own = `00000000${OWN.public_key}`;
  const listed = (seconds: bigint, changes: object = {}) => ({
    transaction_hash: 'ab'.repeat(32),
    transaction_type: 1,
    timestamp: Number(SENT.timestamp + seconds),
    fee: 2_500_000,
    sender_account_address: own,
    recipient_account_address: own,
    transaction_body_bytes: '00e1f50500000000',
    ...changes,
  });
  const list = (...transactions: object[]) =>
    fixture.gateway.on(LIST, answer(JSON.stringify({ transactions })));

  test('lead to a timestamp after those of equal payments that another process sent', async () => {
    list(listed(1n), listed(0n));
    await codeOf(fixture.run(sendDraft()));
    expect(delays()).toEqual([2n]);
  });

  test.each([
    ['another type', { transaction_type: 11 }],
    ['another sender', { sender_account_address: `00000000${'11'.repeat(32)}` }],
    ['another recipient', { recipient_account_address: `00000000${'11'.repeat(32)}` }],
  ])('do not change the timestamp if they have %s', async (_name, changes) => {
    list(listed(0n, changes));
    await codeOf(fixture.run(sendDraft()));
    expect(delays()).toEqual([0n]);
  });

  test('may be missing or malformed, because the hash is looked up before the broadcast', async () => {
    fixture.gateway.on(LIST, answer('<html>', 404)).on(STATUS, NOT_FOUND);
    expect(await codeOf(fixture.run(sendDraft()))).toBe('BROADCAST_REFUSED');
  });
});
