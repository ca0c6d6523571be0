import { ZbcSignerError } from '@zbc-signer/chain';
import { broadcastStateOf } from '@zbc-signer/host';
import type { FakeAnswer } from '../../../testkit/gateway/fake-gateway.js';
import {
  BUSY,
  FlowFixture,
  keyOf,
  POST,
  SEND,
  SENT,
  sendDraft,
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

  test.each<[string, FakeAnswer]>([
    ['was lost', 'drop'],
    ['was answered 503 but may have been passed on', BUSY],
  ])('if it follows a broadcast that %s, with sent: maybe', async (_what, reply) => {
    fixture.gateway.on(POST, reply);
    expect(await abortAt('retry')).toMatchObject({ facts: { transactionHash: HASH, sent: 'maybe' } });
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
    expect(broadcastStateOf(error)).toBe('no');
  }
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
