import { fromHex } from '@zbc-signer/chain';
import { type SessionEvent, Sessions, SignerSession } from '@zbc-signer/host';
import { INS_GET_PUBLIC_KEY } from '@zbc-signer/protocol/commands';
import { bytesOf, transactionCases } from '../../../../testkit/repository/vectors.js';
import { until as untilHolds } from '../../../../testkit/time/until.js';
import { StateDevice } from './state-device.js';

const VECTOR = transactionCases.find(({ name }) => name === 'send to self, reference length 113')!;
const REQUEST = { account: 0, genesisHash: bytesOf(VECTOR.genesis), transaction: bytesOf(VECTOR.tx) };

/** A device that decides every review in the same way. */
class FakeDevice extends StateDevice {
  decision: 'approve' | 'reject' | 'approve, and lose the reply' | 'wait' = 'approve';
  uploads = 0;
  signatures = 0;
  closed = false;

  close(): void {
    this.closed = true;
  }

  protected pause(): Promise<unknown> {
    return new Promise(resolve => setTimeout(resolve, 1));
  }

  protected async review(signal?: AbortSignal): Promise<Uint8Array> {
    this.uploads += 1;
    if (this.decision === 'wait') {
      await new Promise((_resolve, reject) => signal?.addEventListener('abort', reject));
    }
    if (this.decision === 'reject') return fromHex('6985');
    this.signatures += 1;
    if (this.decision === 'approve, and lose the reply') {
      this.state = 'gone';
      throw new Error('no cable');
    }
    return this.sign(REQUEST.genesisHash, REQUEST.transaction);
  }
}

let device: FakeDevice;
let session: SignerSession;
let seen: string[];
beforeEach(() => {
  device = new FakeDevice();
  session = new SignerSession(device, { pollMs: 2 });
  seen = [];
});
afterEach(() => session.close());

const nameOf = (event: SessionEvent) => {
  if (event.type === 'decided') return event.approved ? 'approved' : `rejected: ${event.error?.code}`;
  return event.type === 'state' ? event.state.state : event.type;
};
const listen = () => session.subscribe(event => seen.push(nameOf(event)));
const until = (name: string) => untilHolds(() => seen.at(-1) === name);

describe('the state of a device', () => {
  test('is "connecting" until the session polls the device', async () => {
    expect(session.state).toEqual({ state: 'connecting' });
    await session.waitUntilReady();
    expect(session.state).toMatchObject({ state: 'ready', version: { firmwareVersion: '1.0.0' } });
  });

  test('is reported once for each change', async () => {
    listen();
    await until('ready');
    for (const [answer, name] of [
      ['locked', 'locked'],
      ['other app', 'other-app'],
      ['busy', 'busy'],
      ['ready', 'ready'],
    ] as const) {
      device.state = answer;
      await until(name);
    }
    expect(seen).toEqual(['ready', 'locked', 'other-app', 'busy', 'ready']);
  });

  test('names the app that runs instead of the signer', async () => {
    device.state = 'other app';
    listen();
    await until('other-app');
    expect(session.state).toEqual({ state: 'other-app', app: 'Bitco' });
  });

  test('is "lost" when the cable is unplugged, and is ready again when the device returns', async () => {
    listen();
    await until('ready');
    device.state = 'gone';
    await until('lost');
    expect(session.state).toMatchObject({ error: { code: 'TRANSPORT_FAILED' } });
    device.state = 'ready';
    await until('ready');
    expect(seen).toEqual(['ready', 'lost', 'reconnected', 'ready']);
  });

  test('is not polled while nobody listens', async () => {
    const unsubscribe = listen();
    await until('ready');
    unsubscribe();
    device.state = 'locked';
    await new Promise(resolve => setTimeout(resolve, 20));
    expect(session.state.state).toBe('ready');
  });
});

describe('waitUntilReady', () => {
  test('waits for a locked device', async () => {
    device.state = 'locked';
    setTimeout(() => (device.state = 'ready'), 20);
    expect((await session.waitUntilReady()).locked).toBe(false);
  });

  test.each([
    ['gone', 'lost', 'TRANSPORT_FAILED', {}],
    ['locked', 'locked', 'LOCKED', {}],
    ['busy', 'busy', 'BUSY', {}],
    ['other app', 'other-app', 'WRONG_APP', { app: 'Bitco' }],
  ] as const)('says that the device is %s when its time limit fires', async (answer, state, code, facts) => {
    device.state = answer;
    const limit = new AbortController();
    const wait = expect(session.waitUntilReady({ signal: limit.signal })).rejects.toMatchObject({
      code,
      facts,
    });
    await untilHolds(() => session.state.state === state);
    // AbortSignal.timeout gives the same reason.
    limit.abort(new DOMException('too long', 'TimeoutError'));
    await wait;
  });

  test('rejects with DEVICE_UNRESPONSIVE for a silent device, and the state becomes "unresponsive"', async () => {
    const clock = { now: Date.now, sleep: () => new Promise<void>(resolve => setTimeout(resolve, 10)) };
    const silent = { exchange: () => new Promise<Uint8Array>(() => {}), close: () => {} };
    const waiting = new SignerSession(silent, { clock });
    await expect(waiting.waitUntilReady({ signal: AbortSignal.timeout(100) })).rejects.toMatchObject({
      code: 'DEVICE_UNRESPONSIVE',
    });
    expect(waiting.state).toEqual({ state: 'unresponsive' });
  });

  test('is not needed for the state "unresponsive": an unanswered call sets it, and a late answer ends it', async () => {
    let reply: (answer: Uint8Array) => void = () => {};
    const slow = {
      exchange: (apdu: Uint8Array) =>
        apdu[1] === INS_GET_PUBLIC_KEY
          ? new Promise<Uint8Array>(resolve => (reply = resolve))
          : device.exchange(apdu),
      close: () => {},
    };
    const clock = { now: Date.now, sleep: () => new Promise<void>(resolve => setTimeout(resolve, 10)) };
    const waiting = new SignerSession(slow, { clock });
    const key = waiting.getPublicKey(0);
    for await (const event of waiting.events()) {
      if (event.type === 'state' && event.state.state === 'unresponsive') break;
    }
    reply(await device.exchange(Uint8Array.from([0xe0, INS_GET_PUBLIC_KEY, 0, 0, 4, 0, 0, 0, 0])));
    await key;
    expect(waiting.state.state).toBe('ready');
  });

  test('rejects with ABORTED when the caller gives up, and reports why the device was not ready', async () => {
    device.state = 'locked';
    const leave = new AbortController();
    const wait = expect(session.waitUntilReady({ signal: leave.signal })).rejects.toMatchObject({
      code: 'ABORTED',
      message: 'cancelled: the device is locked',
      cause: { code: 'LOCKED' },
    });
    await untilHolds(() => session.state.state === 'locked');
    leave.abort();
    await wait;
  });

  test('rejects when the session is closed', async () => {
    device.state = 'locked';
    const wait = session.waitUntilReady();
    setTimeout(() => void session.close(), 10);
    await expect(wait).rejects.toMatchObject({ code: 'SESSION_CLOSED', name: 'TransportError' });
  });
});

describe('a signature', () => {
  test('is reported with the items of its review, and the decision', async () => {
    listen();
    await until('ready');
    const states: unknown[] = [];
    session.subscribe(event => event.type === 'state' && states.push(event.state));
    const { signature } = await session.signTransaction(REQUEST);
    expect(Buffer.from(signature).toString('hex')).toBe(VECTOR.expect.signature);
    expect(states[0]).toEqual({ state: 'review', items: VECTOR.expect.review });
    await until('ready');
    expect(seen).toEqual(['ready', 'review', 'approved', 'ready']);
  });

  test('that is rejected is reported as rejected', async () => {
    device.decision = 'reject';
    listen();
    await expect(session.signTransaction(REQUEST)).rejects.toMatchObject({ code: 'USER_REJECTED' });
    await until('ready');
    expect(seen.filter(name => name !== 'connecting' && name !== 'ready')).toEqual([
      'review',
      'rejected: USER_REJECTED',
    ]);
  });

  test('whose reply is lost is not requested again after a reconnect', async () => {
    device.decision = 'approve, and lose the reply';
    listen();
    await until('ready');
    await expect(session.signTransaction(REQUEST)).rejects.toMatchObject({ code: 'TRANSPORT_FAILED' });
    device.state = 'ready';
    device.decision = 'approve';
    await until('ready');
    await new Promise(resolve => setTimeout(resolve, 20));
    expect([device.uploads, device.signatures]).toEqual([1, 1]);
    expect(seen).toEqual(['ready', 'review', 'lost', 'reconnected', 'ready']);
    await session.signTransaction(REQUEST);
    expect(device.signatures).toBe(2);
  });

  test('that is aborted ends without a decision', async () => {
    device.decision = 'wait';
    listen();
    await until('ready');
    const controller = new AbortController();
    const call = session.signTransaction(REQUEST, { signal: controller.signal });
    await until('review');
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'ABORTED' });
    await until('ready');
    expect(seen).toEqual(['ready', 'review', 'ready']);
  });

  test('of a locked device is refused, and reported', async () => {
    device.state = 'locked';
    await expect(session.signTransaction(REQUEST)).rejects.toMatchObject({ code: 'LOCKED' });
    expect(session.state.state).toBe('locked');
  });
});

test('calls are queued, and polls of the device are never sent between their commands', async () => {
  listen();
  const calls = [1, 2, 3].flatMap(() => [
    session.signTransaction(REQUEST),
    session.getPublicKey(0),
    session.getVersion(),
  ]);
  await Promise.all(calls);
  expect(device.overlaps).toBe(0);
  expect(device.signatures).toBe(3);
});

describe('session events', () => {
  test('begin with the current state, and end with the session', async () => {
    const names: string[] = [];
    const loop = (async () => {
      for await (const event of session.events()) names.push(nameOf(event));
    })();
    await session.waitUntilReady();
    await session.signTransaction(REQUEST);
    await session.close();
    await loop;
    expect(names).toEqual(['connecting', 'ready', 'review', 'approved', 'ready', 'closed']);
  });

  test('end when their signal fires', async () => {
    const names: string[] = [];
    for await (const event of session.events({ signal: AbortSignal.timeout(20) })) names.push(nameOf(event));
    expect(names).toEqual(['connecting', 'ready']);
  });
});

test('a closed session signs nothing', async () => {
  await session.close();
  expect(device.closed).toBe(true);
  await expect(session.signTransaction(REQUEST)).rejects.toMatchObject({ code: 'SESSION_CLOSED' });
  await expect(session.waitUntilReady()).rejects.toMatchObject({ code: 'SESSION_CLOSED' });
  expect(device.uploads).toBe(0);
});

test('closing a session during a review rejects calls with SESSION_CLOSED, not with ABORTED', async () => {
  device.decision = 'wait';
  listen();
  await until('ready');
  const { signal } = new AbortController();
  const calls = [session.signTransaction(REQUEST, { signal }), session.getPublicKey(0, { signal })];
  const outcomes = Promise.allSettled(calls);
  await until('review');
  await session.close();
  const reason = { code: 'SESSION_CLOSED', message: 'the session was closed' };
  expect(await outcomes).toMatchObject([{ reason }, { reason }]);
});

test('a call whose signal has fired rejects with ABORTED even if the session is closed', async () => {
  const signal = AbortSignal.abort(new Error('enough'));
  await session.close();
  await expect(session.getPublicKey(0, { signal })).rejects.toMatchObject({
    code: 'ABORTED',
    cause: { message: 'enough' },
  });
});

describe('several devices', () => {
  test('have one session for each serial number, which all callers share', async () => {
    const opened: string[] = [];
    const sessions = new Sessions({ pollMs: 2 });
    const connect = (serialNumber: string) => {
      opened.push(serialNumber);
      return new FakeDevice();
    };
    const [one, other, again] = ['A', 'B', 'A'].map(serial => sessions.open(serial, connect));
    expect(again).toBe(one);
    expect(other).not.toBe(one);
    await Promise.all([one!.signTransaction(REQUEST), other!.signTransaction(REQUEST)]);
    expect(opened).toEqual(['A', 'B']);
    await one!.close();
    expect([...sessions.all.keys()]).toEqual(['B']);
    expect(sessions.open('A', connect)).not.toBe(one);
    await sessions.close();
    expect(other!.state.state).toBe('closed');
  });
});
