import { accountFromPublicKey, toHex } from '@zbc-signer/chain';
import { confirmTransaction, GatewayClient, MemoryJournal, submitTransaction } from '@zbc-signer/host';
import { answer } from '../../../testkit/gateway/fake-gateway.js';
import {
  codeOf,
  FEE,
  FlowFixture,
  keyOf,
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

const HASH = SEND.expect.tx_hash;
const HOUR_MS = 3600_000;

let fixture: FlowFixture;
beforeEach(async () => {
  fixture = await FlowFixture.start();
  fixture.gateway.on(POST, refusal('insufficient balance')).on(STATUS, NOT_FOUND);
});
afterEach(() => fixture.gateway.stop());

const pay = (changes: object = {}, options: object = {}) =>
  codeOf(fixture.run(sendDraft(changes), undefined, options));

describe('after a payment that may have been made', () => {
  beforeEach(async () => expect(await pay()).toBe('BROADCAST_REFUSED'));

  test('its recipient is not paid again before the device is asked', async () => {
    await expect(fixture.run(sendDraft())).rejects.toMatchObject({
      code: 'UNSETTLED_PAYMENT',
      facts: { earlierHash: HASH, safeAfter: `${SENT.timestamp + 3601n}` },
    });
    expect(fixture.asked).toHaveLength(1);
  });

  // What a person changes who is told that the balance, the fee or the message was wrong.
  test.each([[{ amount: 1n }], [{ fee: 3_000_000n }], [{ message: Uint8Array.of(65) }]])(
    'nor with %j instead',
    async changes => {
      expect(await pay(changes)).toBe('UNSETTLED_PAYMENT');
    },
  );

  test('another recipient is', async () => {
    const recipient = accountFromPublicKey(new Uint8Array(32).fill(3));
    expect(await pay({ recipient })).not.toBe('UNSETTLED_PAYMENT');
    expect(fixture.asked).toHaveLength(2);
  });

  test('it is, if that is asked for by name', async () => {
    expect(await pay({}, { paysAgain: true })).toBe('BROADCAST_REFUSED');
    expect(fixture.asked).toHaveLength(2);
  });

  test('it is, once no node accepts the earlier one any more', async () => {
    fixture.sleptMs = HOUR_MS;
    expect(await pay()).toBe('UNSETTLED_PAYMENT');
    fixture.sleptMs = HOUR_MS + 1000;
    expect(await pay()).not.toBe('UNSETTLED_PAYMENT');
  });

  test('a clock that is fast does not shorten the hour', async () => {
    fixture.sleptMs = HOUR_MS + 1000;
    const nodeTime = SENT.timestamp + 1800n;
    fixture.gateway.on(FEE, answer(`{"minimum_fee":2500000,"timestamp":${nodeTime}}`));
    expect(await pay()).toBe('UNSETTLED_PAYMENT');
  });
});

test('a payment that was confirmed after all leaves its recipient free', async () => {
  const { signed } = await lost();
  fixture.gateway.on(POST, receipt()).on(STATUS, NOT_FOUND, stage('confirmed'));
  expect(await pay()).toBe('UNSETTLED_PAYMENT');
  fixture.gateway.on(STATUS, stage('confirmed'));
  const options = { gateway: new GatewayClient(fixture.url), journal: fixture.journal, clock: CLOCK };
  await confirmTransaction(await submitTransaction({ ...signed, sent: 'maybe' }, options), options);
  expect(await pay()).not.toBe('UNSETTLED_PAYMENT');
});

test('a payment of which no byte left leaves its recipient free', async () => {
  const fetchGone: typeof fetch = (url, init) =>
    fetch(init?.method === 'POST' ? 'http://127.0.0.1:9/' : url, init);
  const gateway = new GatewayClient(fixture.url, { fetch: fetchGone });
  expect(await pay({}, { gateway })).toBe('GATEWAY_UNREACHABLE');
  expect(await pay()).toBe('BROADCAST_REFUSED');
});

test('the same signed transaction once more, of which no byte leaves, is no proof that it was not sent', async () => {
  const { signed } = await lost();
  const gone = new GatewayClient('http://127.0.0.1:9');
  const again = submitTransaction(
    { ...signed, sent: 'no' },
    { gateway: gone, journal: fixture.journal, clock: CLOCK },
  );
  await expect(again).rejects.toMatchObject({ facts: { sent: 'maybe' } });
  expect(await fixture.journal.pending()).toMatchObject([{ sent: 'maybe' }]);
  expect(await pay()).toBe('UNSETTLED_PAYMENT');
});

test('another account does not pay the recipient either', async () => {
  const { signed } = await lost();
  const sender = accountFromPublicKey((await keyOf(1).getPublicKey()).publicKey);
  const transaction = { ...signed.transaction, sender };
  const journal = new MemoryJournal();
  await journal.signed({ ...signed, transaction });
  expect(await pay({}, { journal })).toBe('UNSETTLED_PAYMENT');
});

test('a payment that a program is sending, or that a node has, is not paid again', async () => {
  const { signed } = await lost();
  await fixture.journal.signed(signed);
  expect(await fixture.journal.pending()).toMatchObject([{ isInFlight: true }]);
  expect(await pay()).toBe('UNSETTLED_PAYMENT');
  await fixture.journal.ended(signed.transactionHash, 'accepted');
  expect(await fixture.journal.pending()).toMatchObject([{ isInFlight: false, sent: 'yes' }]);
  expect(await pay()).toBe('UNSETTLED_PAYMENT');
});

const CLOCK = { now: () => Number(SENT.timestamp) * 1000, sleep: async () => undefined };

/** A payment whose every answer was lost. */
async function lost() {
  fixture.gateway.on(POST, 'drop');
  expect(await pay()).toBe('BROADCAST_UNCERTAIN');
  const event = fixture.events.findLast(({ step }) => step === 'submitting');
  if (event?.step !== 'submitting') throw new Error('nothing was submitted');
  expect(toHex(event.signed.transactionHash)).toBe(HASH);
  return event;
}
