import { createHmac } from 'node:crypto';
import { jest } from '@jest/globals';
import { Emulator } from '@zbc-signer/emulator';
import { type RunningBridge, startBridge } from '#cli/bridge/server.js';
import {
  CONFIRM_ADDRESS_HEX,
  CONFIRMED_HEX,
  GET_VERSION_HEX,
} from '../../../testkit/device/confirmed-account.js';
import { httpRequest } from '../../../testkit/network/http.js';

const ORIGIN = 'http://localhost:8883';
const OTHER = 'https://gateway.example';

let emulator: Emulator;
let bridge: RunningBridge;
/**
 * Questions that the bridge asked the user. `answer` is the user's reply; it is undefined while the page
 * waits.
 */
let asked: string[];
let answer: boolean | undefined;
let withdrawn: boolean;
let foreign: string[];

beforeEach(async () => {
  emulator = await Emulator.start();
  [asked, answer, foreign, withdrawn] = [[], true, [], false];
  bridge = await startBridge({
    device: emulator.transport(),
    port: 0,
    allowedOrigins: [ORIGIN, OTHER],
    askUser: async ({ origin, code }, signal) => {
      asked.push(`${origin} ${code}`);
      if (answer !== undefined) return answer;
      await new Promise(resolve => signal.addEventListener('abort', resolve));
      withdrawn = true;
      return false;
    },
    onForeign: origin => foreign.push(origin),
  });
});
afterEach(async () => {
  emulator.stop();
  await bridge.close();
});

interface Reply {
  status: number;
  json: Record<string, string>;
  headers: Record<string, string | string[] | undefined>;
}

async function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Reply> {
  const reply = await httpRequest('POST', `${bridge.url}${path}`, {
    headers: { origin: ORIGIN, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return {
    status: reply.status,
    json: reply.body.length === 0 ? {} : JSON.parse(reply.body.toString()),
    headers: reply.headers,
  };
}

/** Computes the codes that the page sends, independently of the program's implementation. */
const codeOf = (key: string, ...parts: (string | number)[]) =>
  createHmac('sha256', Buffer.from(key, 'hex')).update(parts.join('\n')).digest('hex');

interface Paired {
  pairing: string;
  key: string;
  origin?: string;
}

async function pair(origin = ORIGIN): Promise<Paired> {
  const { json } = await post('/pair', { code: '4821' }, { origin });
  return { pairing: json.pairing!, key: json.key!, origin };
}

function openBody({ pairing, key }: Paired, nonce: string) {
  return { pairing, nonce, code: codeOf(key, 'open', pairing, nonce) };
}

let nonces = 0;
const nextNonce = () => `${(nonces += 1)}`.padStart(32, '0');

async function open(paired: Paired): Promise<string> {
  const reply = await post('/open', openBody(paired, nextNonce()), { origin: paired.origin! });
  expect(reply.status).toBe(200);
  return reply.json.session!;
}

function exchangeBody({ key }: Paired, session: string, counter: number, apdu = GET_VERSION_HEX) {
  return { session, counter, apdu, code: codeOf(key, 'exchange', session, counter, apdu) };
}

describe('a page that the user allowed', () => {
  test('uses the device, and can verify that the replies come from the bridge', async () => {
    const paired = await pair();
    const session = await open(paired);
    const { status, json } = await post('/exchange', exchangeBody(paired, session, 1));
    expect([status, json.reply]).toEqual([200, expect.stringMatching(/9000$/)]);
    expect(json.code).toBe(codeOf(paired.key, 'reply', session, 1, json.reply!));
    expect(asked).toEqual([`${ORIGIN} 4821`]);
  });

  test('waits for a review for as long as the review takes', async () => {
    const paired = await pair();
    const session = await open(paired);
    const reply = post('/exchange', exchangeBody(paired, session, 1, CONFIRM_ADDRESS_HEX));
    await emulator.approve();
    expect((await reply).json.reply).toBe(CONFIRMED_HEX);
  });

  test('ends its review by disconnecting', async () => {
    const paired = await pair();
    const session = await open(paired);
    const body = JSON.stringify(exchangeBody(paired, session, 1, CONFIRM_ADDRESS_HEX));
    const leave = new AbortController();
    const headers = { origin: ORIGIN, 'content-type': 'application/json' };
    const reply = fetch(`${bridge.url}/exchange`, { method: 'POST', headers, body, signal: leave.signal });
    await emulator.waitForReview();
    leave.abort();
    await expect(reply).rejects.toThrow();
    while (emulator.reviewing) await new Promise(resolve => setTimeout(resolve, 5));
  });

  test('receives the reason why the device’s transport failed', async () => {
    const paired = await pair();
    const session = await open(paired);
    emulator.stop();
    const { status, json } = await post('/exchange', exchangeBody(paired, session, 1));
    expect([status, json.code]).toEqual([502, 'TRANSPORT_FAILED']);
  });
});

describe('consent', () => {
  test('that the user refuses gives no access, and cannot be requested again at once', async () => {
    answer = false;
    const refused = await post('/pair', { code: '0001' });
    expect([refused.status, refused.json.key]).toEqual([403, undefined]);
    answer = true;
    expect((await post('/pair', { code: '0002' })).status).toBe(429);
    expect(asked).toHaveLength(1);
  });

  test('is not requested while the question about a page that left is open, because the answer would count for the new page', async () => {
    answer = undefined;
    const clock = jest.spyOn(performance, 'now').mockReturnValue(1000);
    const leave = new AbortController();
    const headers = { origin: ORIGIN, 'content-type': 'application/json' };
    const body = '{"code":"0001"}';
    const left = fetch(`${bridge.url}/pair`, { method: 'POST', headers, body, signal: leave.signal });
    while (asked.length === 0) await new Promise(resolve => setTimeout(resolve, 5));
    const during = await post('/pair', { code: '0002' }, { origin: OTHER });
    expect([during.status, during.json.error]).toEqual([
      429,
      'the bridge is already asking about another page',
    ]);
    leave.abort();
    await expect(left).rejects.toThrow();
    answer = true;
    while (!withdrawn) await new Promise(resolve => setTimeout(resolve, 5));
    const hasLeft = 'a page left the bridge before the user answered';
    for (const [now, expected, error] of [
      [1000, 429, hasLeft],
      [3999, 429, hasLeft],
      [4000, 200, undefined],
    ] as const) {
      clock.mockReturnValue(now);
      const { status, json } = await post('/pair', { code: '0003' }, { origin: OTHER });
      expect([status, json.error]).toEqual([expected, error]);
    }
    clock.mockRestore();
    expect(asked).toEqual([`${ORIGIN} 0001`, `${OTHER} 0003`]);
  });

  test.each(['', '123', '12345', '12a4', '1234\n', 4821])(
    'is not requested if the code is %j',
    async code => {
      expect((await post('/pair', { code })).status).toBe(400);
      expect(asked).toEqual([]);
    },
  );
});

describe('a request that is not allowed gets no access', () => {
  test('from another origin: no reply, no CORS permission, and no question to the user', async () => {
    for (const origin of [
      'https://evil.example',
      'http://localhost:8884',
      'null',
      `${ORIGIN}.evil.example`,
    ]) {
      for (const path of ['/find', '/pair', '/open', '/exchange']) {
        const { status, json, headers } = await post(path, { code: '1234' }, { origin });
        expect([status, json, headers['access-control-allow-origin']]).toEqual([403, {}, undefined]);
      }
      const preflight = await httpRequest('OPTIONS', `${bridge.url}/pair`, { headers: { origin } });
      expect(preflight.status).toBe(403);
    }
    expect(asked).toEqual([]);
    expect(new Set(foreign).size).toBe(4);
  });

  test('without an origin', async () => {
    const { status } = await httpRequest('POST', `${bridge.url}/find`, {
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(status).toBe(403);
  });

  test.each(['evil.example', 'localhost', '127.0.0.1:1', 'localhost.evil.example:80', '[::1]:80'])(
    'to a name that was rebound to this machine: Host %s',
    async host => {
      expect((await post('/find', {}, { host })).status).toBe(403);
    },
  );

  test('from a form, which browsers send without a preflight', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      expect((await post('/pair', { code: '1234' }, { 'content-type': type })).status).toBe(404);
    }
    expect(asked).toEqual([]);
  });

  test('with GET, with an unknown path, or with a body that is not a JSON object of the right fields', async () => {
    const get = await httpRequest('GET', `${bridge.url}/find`, { headers: { origin: ORIGIN } });
    expect(get.status).toBe(404);
    expect((await post('/other', {})).status).toBe(404);
    for (const body of [[], { code: ['4821'] }, { toString: 1 }, { code: '4821', more: 'x'.repeat(2048) }]) {
      expect((await post('/pair', body)).status).toBe(400);
    }
  });

  test.each(['00', '0'.repeat(34)])('with a nonce that is not 16 bytes long: %s', async nonce => {
    expect((await post('/open', openBody(await pair(), nonce))).status).toBe(400);
  });
});

describe('rejects a replay', () => {
  test('of a request for a session', async () => {
    const paired = await pair();
    const body = openBody(paired, nextNonce());
    expect((await post('/open', body)).status).toBe(200);
    expect((await post('/open', body)).status).toBe(401);
  });

  test('of a command, in its session and in the next', async () => {
    const paired = await pair();
    const first = await open(paired);
    const body = exchangeBody(paired, first, 1);
    expect((await post('/exchange', body)).status).toBe(200);
    expect((await post('/exchange', body)).status).toBe(401);
    const second = await open(paired);
    expect((await post('/exchange', body)).status).toBe(409);
    expect((await post('/exchange', { ...body, session: second })).status).toBe(401);
  });

  test('of an earlier counter', async () => {
    const paired = await pair();
    const session = await open(paired);
    expect((await post('/exchange', exchangeBody(paired, session, 5))).status).toBe(200);
    expect((await post('/exchange', exchangeBody(paired, session, 4))).status).toBe(401);
  });

  test('of a command in twenty copies at once, of which one is answered', async () => {
    const paired = await pair();
    const session = await open(paired);
    const body = exchangeBody(paired, session, 1);
    const replies = await Promise.all(Array.from({ length: 20 }, () => post('/exchange', body)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('of a pairing from another origin, even from an origin that is allowed', async () => {
    const paired = await pair();
    const headers = { origin: OTHER };
    expect((await post('/open', openBody(paired, nextNonce()), headers)).status).toBe(401);
    const session = await open(paired);
    expect((await post('/exchange', exchangeBody(paired, session, 1), headers)).status).toBe(409);
  });

  test('with a changed command, counter or code', async () => {
    const paired = await pair();
    const session = await open(paired);
    const body = exchangeBody(paired, session, 1);
    for (const change of [
      { apdu: CONFIRM_ADDRESS_HEX },
      { counter: 2 },
      { code: codeOf('00'.repeat(32), 'exchange', session, 1, GET_VERSION_HEX) },
      { code: 'ab' },
    ]) {
      expect((await post('/exchange', { ...body, ...change })).status).toBe(401);
    }
    expect(emulator.reviewing).toBe(false);
  });
});

describe('one device has one session', () => {
  test('another browser gets no session while one is in use, even during a review', async () => {
    const [one, other] = [await pair(), await pair(OTHER)];
    const session = await open(one);
    const reply = post('/exchange', exchangeBody(one, session, 1, CONFIRM_ADDRESS_HEX));
    await emulator.waitForReview();
    const held = await post('/open', openBody(other, nextNonce()), { origin: OTHER });
    expect([held.status, held.json.code]).toEqual([409, 'DEVICE_HELD']);
    expect((await post('/open', openBody(one, nextNonce()))).status).toBe(409);
    await emulator.reject();
    expect((await reply).json.reply).toBe('6985');
    const after = await post('/open', openBody(other, nextNonce()), { origin: OTHER });
    expect([after.status, after.json.code]).toEqual([409, 'DEVICE_HELD']);
  });

  test('a new session of the same browser ends the previous session', async () => {
    const paired = await pair();
    const first = await open(paired);
    const second = await open(paired);
    expect((await post('/exchange', exchangeBody(paired, first, 1))).status).toBe(409);
    expect((await post('/exchange', exchangeBody(paired, second, 1))).status).toBe(200);
  });
});
