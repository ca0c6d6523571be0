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

/** Runs until the step is reported, then aborts. */
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
  ])('at step %s, as sent: %s', async (step, sent) => {
    const error = await abortAt(step);
    expect(error).toMatchObject({
      code: 'SUBMISSION_INTERRUPTED',
      facts: { transactionHash: HASH, sent },
      cause: { message: 'the user left' },
    });
    expect(fixture.posts).toHaveLength(sent === 'no' ? 0 : 1);
  });

  test('between two broadcasts, as maybe sent', async () => {
    fixture.gateway.on(POST, 'drop');
    expect(await abortAt('retry')).toMatchObject({ facts: { transactionHash: HASH, sent: 'maybe' } });
  });

  test('after a broadcast that was answered 503, as maybe sent: it may have been passed on', async () => {
    fixture.gateway.on(POST, BUSY);
    expect(await abortAt('retry')).toMatchObject({ facts: { transactionHash: HASH, sent: 'maybe' } });
  });
});

describe('a failure after the approval names the transaction', () => {
  const gone = answer('', 503);
  test.each<[string, string, Parameters<FlowFixture['gateway']['on']>[], string]>([
    ['GATEWAY_BUSY', 'maybe', [[POST, gone]], 'the gateway is overloaded for long'],
    ['BROADCAST_REFUSED', 'maybe', [[POST, refusal('no')]], 'the node refuses'],
    [
      'BROADCAST_REFUSED',
      'maybe',
      [[POST, 'drop', refusal('no')]],
      'an answer is lost, and the copy refused',
    ],
    ['BROADCAST_UNCERTAIN', 'maybe', [[POST, 'drop']], 'no answer ever comes'],
    ['HASH_MISMATCH', 'maybe', [[POST, receipt('00'.repeat(32))]], 'the hash comes back changed'],
    ['GATEWAY_BUSY', 'no', [[STATUS, gone]], 'the status cannot be read before'],
    ['NOT_CONFIRMED', 'yes', [[STATUS, NOT_FOUND, stage('mempool')]], 'no block takes it'],
    ['GATEWAY_MALFORMED', 'yes', [[STATUS, NOT_FOUND, answer('<html>')]], 'the status is a page'],
  ])('%s, as sent: %s, if %4$s', async (code, sent, answers) => {
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
  ['nothing', undefined],
  ['an error of its own', new TypeError('unplugged')],
])('a signer that throws %s has signed nothing', async (_what, thrown) => {
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

test('an abort that another copy of the library throws is an interruption too', async () => {
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
