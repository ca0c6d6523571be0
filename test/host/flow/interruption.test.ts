import { ZbcSignerError } from '@zbc-signer/chain';
import { sentOf } from '@zbc-signer/host';
import { answer } from '../../../testkit/gateway/fake-gateway.js';
import {
  BUSY,
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
let fixture: FlowFixture;
beforeEach(async () => {
  fixture = await FlowFixture.start();
});
afterEach(() => fixture.gateway.stop());

/** Runs a payment, and aborts it when the step is reported. */
async function abortAt(step: string) {
  const controller = new AbortController();
  const call = fixture.run(sendDraft(), undefined, {
    signal: controller.signal,
    onProgress: event => {
      if (event.step === step) controller.abort(new Error('the user left'));
    },
  });
  return call.catch(error => error);
}

describe('an abort after the approval names the transaction', () => {
  test.each([
    ['signed', 'no'],
    ['broadcast', 'yes'],
    ['stage', 'yes'],
  ])('if it happens at step %s, with sent: %s', async (step, sent) => {
    const error = await abortAt(step);
    expect(error).toMatchObject({
      code: 'SUBMISSION_INTERRUPTED',
      facts: { transactionHash: HASH, sent },
      cause: { message: 'the user left' },
    });
    expect(fixture.posts).toHaveLength(sent === 'no' ? 0 : 1);
  });

  test('if it happens between two broadcasts, with sent: maybe', async () => {
    fixture.gateway.on(POST, 'drop');
    expect(await abortAt('retry')).toMatchObject({ facts: { transactionHash: HASH, sent: 'maybe' } });
  });

  test('if it follows a broadcast that was answered 503 but may have been passed on, with sent: maybe', async () => {
    fixture.gateway.on(POST, BUSY);
    expect(await abortAt('retry')).toMatchObject({ facts: { transactionHash: HASH, sent: 'maybe' } });
  });
});

describe('a failure after the approval names the transaction', () => {
  const gone = answer('', 503);
  test.each<[string, string, string, Parameters<FlowFixture['gateway']['on']>[]]>([
    ['the gateway stays overloaded', 'GATEWAY_BUSY', 'maybe', [[POST, gone]]],
    ['the node refuses', 'BROADCAST_REFUSED', 'maybe', [[POST, refusal('no')]]],
    [
      'an answer is lost, and the second copy is refused',
      'BROADCAST_REFUSED',
      'maybe',
      [[POST, 'drop', refusal('no')]],
    ],
    ['no broadcast is answered', 'BROADCAST_UNCERTAIN', 'maybe', [[POST, 'drop']]],
    ['the answer has another hash', 'HASH_MISMATCH', 'maybe', [[POST, receipt('00'.repeat(32))]]],
    ['the status cannot be read before the broadcast', 'GATEWAY_BUSY', 'no', [[STATUS, gone]]],
    ['no block contains the transaction', 'NOT_CONFIRMED', 'yes', [[STATUS, NOT_FOUND, stage('mempool')]]],
    ['the status is an HTML page', 'GATEWAY_MALFORMED', 'yes', [[STATUS, NOT_FOUND, answer('<html>')]]],
  ])('if %s: %s with sent: %s', async (_what, code, sent, answers) => {
    if (code !== 'GATEWAY_MALFORMED' && code !== 'NOT_CONFIRMED') fixture.gateway.on(STATUS, NOT_FOUND);
    for (const [route, ...replies] of answers) fixture.gateway.on(route, ...replies);
    await expect(fixture.run(sendDraft())).rejects.toMatchObject({
      code,
      facts: { transactionHash: HASH, sent },
    });
  });
});

test.each<[string, unknown]>([
  ['a string', 'boo'],
  ['an object', { status: 7 }],
  ['undefined', undefined],
  ['an error of its own', new TypeError('unplugged')],
])('if a signer throws %s, nothing counts as sent', async (_what, thrown) => {
  const key = keyOf(0);
  const getPublicKey = () => key.getPublicKey();
  const rejects = () => Promise.reject(thrown);
  for (const signer of [
    { getPublicKey, signTransaction: rejects },
    { getPublicKey: rejects, signTransaction: rejects },
  ]) {
    const error = await fixture.run(sendDraft(), undefined, { signer }).catch(reason => reason);
    expect(error).toMatchObject({ code: 'TRANSPORT_FAILED' });
    expect(sentOf(error)).toBe('no');
  }
});

test('an exception in onProgress does not fail the payment', async () => {
  const result = await fixture.run(sendDraft(), undefined, {
    onProgress: () => {
      throw new Error('a bug in the page');
    },
  });
  expect(result.status).toBe('confirmed');
});

test('an abort that another copy of the library throws is also an interruption', async () => {
  const sleep = () => Promise.reject(new ZbcSignerError('ABORTED', 'cancelled', { cause: 'the user left' }));
  fixture.gateway.on(POST, BUSY);
  const call = fixture.run(sendDraft(), undefined, {
    clock: { now: () => Number(SENT.timestamp) * 1000, sleep },
  });
  await expect(call).rejects.toMatchObject({
    code: 'SUBMISSION_INTERRUPTED',
    cause: 'the user left',
    facts: { transactionHash: HASH, sent: 'maybe' },
  });
});
