import type { MessagePort } from 'node:worker_threads';
import { CONNECT_READY, ConnectWindow } from '@zbc-signer/connect';
import { until } from '../../testkit/time/until.js';

const GATEWAY = 'https://gateway.example';
const PAGE = 'https://shop.example';
const SEND = { to: 'ZBC_A', amount: '1' };

/** A window that the page opened, which keeps what it was posted. */
class ModelWindow {
  closed = false;
  readonly posted: { data: unknown; target: string; port: MessagePort }[] = [];

  postMessage(data: unknown, target: string, [port]: [MessagePort]): void {
    this.posted.push({ data, target, port });
  }
}

let page: EventTarget;
let opened: ModelWindow[];

beforeEach(() => {
  page = new EventTarget();
  opened = [];
  Object.assign(globalThis, {
    addEventListener: page.addEventListener.bind(page),
    removeEventListener: page.removeEventListener.bind(page),
    location: { origin: PAGE },
    open: () => {
      opened.push(new ModelWindow());
      return opened.at(-1);
    },
  });
});
afterEach(() => {
  for (const { posted } of opened) for (const { port } of posted) port.close();
  for (const name of ['addEventListener', 'removeEventListener', 'location', 'open']) {
    Reflect.deleteProperty(globalThis, name);
  }
});

function hear(source: ModelWindow, origin = GATEWAY, data: unknown = CONNECT_READY): void {
  page.dispatchEvent(Object.assign(new Event('message'), { source, origin, data }));
}

/** Begins a request, and lets the wallet answer that it listens. */
function ask<Result>(request: (wallet: ConnectWindow) => Promise<Result>): {
  outcome: Promise<unknown>;
  window: ModelWindow;
} {
  const outcome = request(new ConnectWindow(GATEWAY)).catch(({ code, sent }) => ({ code, sent }));
  const window = opened.at(-1)!;
  hear(window);
  return { outcome, window };
}

const answer = ({ posted }: ModelWindow, message: object) => posted[0]!.port.postMessage(message);

test('the request goes once, with its port, to the window that was opened, and only while that shows the gateway', async () => {
  const outcome = new ConnectWindow(GATEWAY).send(SEND);
  const [window] = opened as [ModelWindow];
  hear(new ModelWindow());
  hear(window, 'https://gateway.example.evil.example');
  hear(window, 'http://gateway.example');
  hear(window, GATEWAY, 'another message');
  expect(window.posted).toEqual([]);
  hear(window);
  hear(window);
  expect(window.posted).toMatchObject([{ data: { method: 'send', ...SEND, message: '' }, target: GATEWAY }]);
  answer(window, { value: { transactionHash: 'ab' } });
  expect(await outcome).toEqual({ transactionHash: 'ab' });
});

test('only one request is pending at a time, and the next one may follow a failed one', async () => {
  const { outcome, window } = ask(wallet => wallet.account());
  const second = new ConnectWindow('https://other.example').account().catch(({ code }) => code);
  expect(opened).toHaveLength(1);
  expect(await second).toBe('REQUEST_PENDING');
  answer(window, { error: { code: 'REQUEST_REFUSED', message: 'refused', sent: 'no' } });
  expect(await outcome).toEqual({ code: 'REQUEST_REFUSED', sent: 'no' });
  const next = ask(wallet => wallet.account());
  answer(next.window, { value: { address: 'ZBC_A' } });
  expect(await next.outcome).toEqual({ address: 'ZBC_A' });
});

test('an error of the wallet says whether the chain may have the payment', async () => {
  const { outcome, window } = ask(wallet => wallet.send(SEND));
  answer(window, { error: { code: 'NOT_CONFIRMED', message: 'no block', sent: 'yes' } });
  expect(await outcome).toEqual({ code: 'NOT_CONFIRMED', sent: 'yes' });
});

test.each([
  ['a payment', (wallet: ConnectWindow) => wallet.send(SEND), 'maybe'],
  ['a signature', (wallet: ConnectWindow) => wallet.signMessage('Hello'), 'no'],
])(
  'if the window is closed without an answer to %s, the chain has it: %3$s',
  async (_what, request, sent) => {
    const { outcome, window } = ask<unknown>(request);
    window.closed = true;
    expect(await outcome).toEqual({ code: 'WINDOW_CLOSED', sent });
  },
);

test('an answer that was sent before the window closed still arrives', async () => {
  const { outcome, window } = ask(wallet => wallet.send(SEND));
  // The page looks every 300 ms; the answer arrives after the first look that finds the window closed.
  let looks = 0;
  Object.defineProperty(window, 'closed', { get: () => ++looks > 0 });
  await until(() => looks > 0);
  answer(window, { value: { transactionHash: 'ab' } });
  expect(await outcome).toEqual({ transactionHash: 'ab' });
});

describe('a signed text', () => {
  const textWith = (changes: object) => {
    const { origin, nonce, message } = {
      origin: PAGE,
      nonce: 'nonce-of-a-test',
      message: 'Hello',
      ...changes,
    };
    return `ZBC signed message 1\nOrigin: ${origin}\nTime: 2026-11-27T12:00:00.000Z\nNonce: ${nonce}\n\n${message}`;
  };
  const sign = (changes: object) => {
    const { outcome, window } = ask(wallet => wallet.signMessage('Hello', 'nonce-of-a-test'));
    answer(window, { value: { text: textWith(changes) } });
    return outcome;
  };

  test('is returned if it is for this page, nonce and message', async () => {
    expect(await sign({})).toEqual({ text: textWith({}) });
  });

  test.each([{ origin: 'https://bank.example' }, { nonce: 'nonce-of-another' }, { message: 'I pay' }])(
    'is refused with %p',
    async changes => {
      expect(await sign(changes)).toMatchObject({ code: 'INVALID_SIGNED_TEXT' });
    },
  );

  test('that no device signs is refused before a window opens', async () => {
    const signing = new ConnectWindow(GATEWAY).signMessage('café').catch(({ code }) => code);
    expect(opened).toEqual([]);
    expect(await signing).toBe('INVALID_SIGNED_TEXT');
  });
});
