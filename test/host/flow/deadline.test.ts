import {
  GatewayClient,
  prepareTransaction,
  SYSTEM_CLOCK,
  signTransaction,
  submitAndConfirm,
} from '@zbc-signer/host';
import { answer, type FakeAnswer } from '../../../testkit/gateway/fake-gateway.js';
import {
  BUSY,
  codeOf,
  FEE,
  FlowFixture,
  INFO,
  keyOf,
  NOT_FOUND,
  POST,
  receipt,
  SENT,
  STATUS,
  sendDraft,
  stage,
} from '../../../testkit/gateway/flow-fixture.js';

const LIMIT_MS = 1000;
const HALF_AN_HOUR_MS = 1_800_000;
let fixture: FlowFixture;
beforeEach(async () => {
  fixture = await FlowFixture.start();
});
afterEach(() => fixture.gateway.stop());

/**
 * Returns a clock that runs in real time from the approval on, so that the transaction's own time does not
 * matter.
 */
function realClock() {
  const startMs = SYSTEM_CLOCK.now();
  let waitedMs: number | undefined;
  const passedMs = () => {
    if (!fixture.events.some(({ step }) => step === 'signed')) return 0;
    waitedMs ??= SYSTEM_CLOCK.now() - startMs;
    return SYSTEM_CLOCK.now() - startMs - waitedMs;
  };
  return { ...SYSTEM_CLOCK, now: () => Number(SENT.timestamp) * 1000 + passedMs() };
}

const busyFor = (retryAfter: string): FakeAnswer => ({
  status: 503,
  body: '',
  headers: { 'retry-after': retryAfter },
});
const pauses = () => fixture.events.flatMap(event => (event.step === 'retry' ? [event.pauseMs] : []));

describe('the deadline after the approval covers', () => {
  test.each<[string, string, FakeAnswer[]]>([
    ['a status whose bytes arrive slowly', STATUS, [NOT_FOUND, 'drip']],
    ['a status that never arrives', STATUS, [NOT_FOUND, 'silence']],
    ['a receipt whose bytes arrive slowly', POST, ['drip']],
    ['a gateway that is busy for ever', POST, [BUSY]],
  ])('%s', async (_what, route, answers) => {
    fixture.gateway.on(route, ...answers);
    if (route === POST) fixture.gateway.on(STATUS, NOT_FOUND);
    const clock = realClock();
    const code = await codeOf(
      fixture.run(sendDraft(), undefined, {
        // Each single request may take longer than the deadline.
        gateway: new GatewayClient(fixture.url, { timeoutMs: 20_000 }),
        clock,
        confirmationTimeoutMs: LIMIT_MS,
      }),
    );
    expect(['NOT_CONFIRMED', 'BROADCAST_UNCERTAIN', 'GATEWAY_BUSY']).toContain(code);
    expect(clock.now() - Number(SENT.timestamp) * 1000).toBeLessThan(3 * LIMIT_MS);
  });
});

test.each([-86_400_000, 86_400_000])(
  'setting the clock by %i ms neither ends nor extends the wait for a confirmation',
  async stepMs => {
    fixture.gateway.on(STATUS, NOT_FOUND, stage('mempool'));
    const clock = fixture.clock(SENT.timestamp);
    let setMs = 0;
    const set = { ...clock, now: () => clock.now() + setMs, elapsed: () => fixture.sleptMs };
    const call = fixture.run(sendDraft(), undefined, {
      clock: set,
      confirmationTimeoutMs: 5000,
      onProgress: ({ step }) => {
        if (step === 'broadcast') setMs = stepMs;
      },
    });
    expect(await codeOf(call)).toBe('NOT_CONFIRMED');
    expect(fixture.sleptMs).toBe(5000);
  },
);

test('a signed transaction that is submitted later has the same deadline, whichever of its requests meet a busy gateway', async () => {
  const options = { gateway: new GatewayClient(fixture.url), journal: fixture.journal };
  const steps = { ...options, clock: fixture.clock(SENT.timestamp), confirmationTimeoutMs: 40_000 };
  const prepared = await prepareTransaction(sendDraft(), { ...steps, publicKey: SENT.sender.payload });
  const signed = await signTransaction(prepared, { ...steps, signer: keyOf(0) });
  fixture.gateway.on(POST, ...Array.from({ length: 6 }, () => BUSY), receipt());
  fixture.gateway.on(STATUS, ...Array.from({ length: 7 }, () => NOT_FOUND), stage('mempool'));
  await expect(submitAndConfirm(signed, steps)).rejects.toMatchObject({
    code: 'NOT_CONFIRMED',
    facts: { sent: 'yes' },
  });
  expect(fixture.posts).toHaveLength(7);
  expect(fixture.sleptMs).toBe(40_000);
});

test('the requests before the approval end within a minute, however long each of them may take', async () => {
  fixture.gateway.on(INFO, busyFor('29'));
  expect(await codeOf(fixture.run(sendDraft()))).toBe('GATEWAY_BUSY');
  expect(fixture.sleptMs).toBe(58_000);
});

describe('Retry-After', () => {
  test('is obeyed by reads and broadcasts', async () => {
    fixture.gateway.on(FEE, busyFor('7'), answer('{"minimum_fee":2500000}'));
    fixture.gateway.on(POST, { ...(busyFor('9') as object), status: 429 } as FakeAnswer, receipt());
    fixture.gateway.on(STATUS, NOT_FOUND, NOT_FOUND, stage('confirmed'));
    await fixture.run(sendDraft());
    expect(pauses()).toEqual([7000, 9000]);
  });

  test('is obeyed during the wait for a confirmation, up to the deadline', async () => {
    fixture.gateway.on(STATUS, NOT_FOUND, busyFor('7'), stage('mempool'), busyFor('20'));
    expect(await codeOf(fixture.run(sendDraft(), undefined, { confirmationTimeoutMs: 9000 }))).toBe(
      'NOT_CONFIRMED',
    );
    expect(fixture.sleptMs).toBe(9000);
    expect(fixture.gateway.routes.filter(route => route === STATUS)).toHaveLength(4);
  });

  test.each([
    ['3600', 30_000],
    ['99999999999', 500],
    ['-1', 500],
    ['0', 500],
    ['soon', 500],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 500],
    [new Date(Date.now() + HALF_AN_HOUR_MS).toUTCString(), 30_000],
  ])('of %j is a pause of %i ms before a broadcast', async (retryAfter, pauseMs) => {
    fixture.gateway.on(POST, busyFor(retryAfter), receipt());
    fixture.gateway.on(STATUS, NOT_FOUND, NOT_FOUND, stage('confirmed'));
    await fixture.run(sendDraft());
    expect(pauses()).toEqual([pauseMs]);
  });
});

test('the same bytes are sent to a busy gateway until the deadline, and the hash is looked up at the end', async () => {
  fixture.gateway.on(POST, BUSY).on(STATUS, NOT_FOUND);
  await expect(fixture.run(sendDraft(), undefined, { confirmationTimeoutMs: 60_000 })).rejects.toMatchObject({
    code: 'GATEWAY_BUSY',
    facts: { sent: 'maybe' },
  });
  expect(new Set(fixture.posts.map(({ body }) => body)).size).toBe(1);
  expect(fixture.posts.length).toBeGreaterThan(8);
  expect(fixture.sleptMs).toBeGreaterThan(55_000);
  expect(fixture.sleptMs).toBeLessThanOrEqual(60_000);
  expect(fixture.gateway.routes.at(-1)).toBe(STATUS);
});

test('the error names the answer to each attempt', async () => {
  fixture.gateway.on(POST, answer('', 502), BUSY, BUSY, 'drop');
  fixture.gateway.on(STATUS, NOT_FOUND, NOT_FOUND, answer('{"status":"rejected"}'), NOT_FOUND);
  await expect(fixture.run(sendDraft())).rejects.toMatchObject({
    code: 'BROADCAST_UNCERTAIN',
    facts: {
      answers: expect.stringMatching(
        /^HTTP 502; looked up: unknown; HTTP 503; looked up: rejected; HTTP 503; looked up: unknown; it closed the connection \(UND_ERR_SOCKET\); /,
      ),
    },
  });
});
