import { MessageChannel } from 'node:worker_threads';
import { CONNECT_READY } from '@zbc-signer/connect';
import { AllowedPages } from '#wallet/page/connect/allowed-pages.js';
import { type AskingPage, askedBy } from '#wallet/page/connect/asking-page.js';
import { accounts } from '../../testkit/repository/vectors.js';

const SEND = { method: 'send', to: accounts.cases[1]!.address, amount: '1', message: '' };

let window: EventTarget;
let opener: { postMessage: (data: unknown, target: string) => void; heard: unknown[] };
const channels: MessageChannel[] = [];

beforeEach(() => {
  window = new EventTarget();
  const heard: unknown[] = [];
  opener = { heard, postMessage: (data, target) => void heard.push([data, target]) };
  Object.assign(globalThis, {
    addEventListener: window.addEventListener.bind(window),
    removeEventListener: window.removeEventListener.bind(window),
  });
});
afterEach(() => {
  for (const { port1 } of channels.splice(0)) port1.close();
  Reflect.deleteProperty(globalThis, 'addEventListener');
  Reflect.deleteProperty(globalThis, 'removeEventListener');
});

/** Lets a page post a request; returns the answers that the page receives. */
function ask(origin: string, data: object = SEND, source: object = opener): unknown[] {
  const channel = new MessageChannel();
  channels.push(channel);
  const answers: unknown[] = [];
  channel.port1.on('message', answer => answers.push(answer));
  window.dispatchEvent(Object.assign(new Event('message'), { source, origin, data, ports: [channel.port2] }));
  return answers;
}

const turn = () => new Promise(resolve => setTimeout(resolve, 20));
const begin = (): Promise<AskingPage> => askedBy(opener as unknown as Window);

test('only the page that opened the window is heard, and only its first request', async () => {
  const asking = begin();
  expect(opener.heard).toEqual([[CONNECT_READY, '*']]);
  ask('https://evil.example', { ...SEND, to: 'ZBC_EVIL' }, {});
  const answers = ask('https://shop.example');
  const later = ask('https://shop.example', { ...SEND, amount: '9' });
  const invalid = ask('https://shop.example', { method: 'other' });
  const page = await asking;
  expect([page.origin, page.asked]).toEqual(['https://shop.example', SEND]);
  page.answer({ value: 1 });
  page.answer({ value: 2 });
  page.fail('REQUEST_REFUSED', 'refused');
  await turn();
  expect([answers, later, invalid]).toEqual([[{ value: 1 }], [], []]);
});

async function questionOf(data: object) {
  const asking = begin();
  ask('https://shop.example', data);
  return (await asking).question;
}

test('the question has the amount and the recipient of a payment, and no character that hides them', async () => {
  const to = accounts.cases[1]!.address;
  expect(await questionOf({ method: 'send', to, amount: '1.50', message: '' })).toEqual([
    'Pay 1.5 ZBC?',
    ['To', to],
  ]);
  const hidden = { method: 'send', to, amount: '1', message: '\u202e' } as const;
  expect((await questionOf(hidden))[2]).toEqual([
    'Message',
    expect.stringMatching(/^3 bytes \(binary\) [0-9a-f]{8}$/),
  ]);
  expect(await questionOf({ method: 'sign', message: 'Hello', nonce: '' })).toContainEqual([
    'Message',
    'Hello',
  ]);
});

test.each([
  { ...SEND, amount: '0 ZBC to prove you are human' },
  { ...SEND, amount: '1\u202e' },
  { ...SEND, to: 'nobody' },
  { ...SEND, to: `${SEND.to}\u202e` },
])('a request that cannot be fulfilled is refused without a question: %j', async data => {
  const asking = begin();
  asking.catch(() => undefined);
  const answers = ask('https://shop.example', data);
  await expect(asking).rejects.toThrow();
  await turn();
  expect(answers).toMatchObject([{ error: { code: expect.any(String), sent: 'no' } }]);
});

test.each([
  'https://shop.example',
  'https://shop.example:8443',
  'http://localhost',
  'http://localhost:8000',
  'http://127.0.0.1:8000',
  'http://[::1]:8000',
])('a page of %s may ask', async origin => {
  const asking = begin();
  ask(origin);
  expect((await asking).origin).toBe(origin);
});

test.each([
  'http://shop.example',
  'http://localhost.evil.example',
  'http://127.0.0.1.evil.example',
  'null',
  '',
  'file://',
  'app://https://shop.example',
])('a page of %p, which an attacker in the network can forge, may not ask', async origin => {
  const asking = begin();
  asking.catch(() => undefined);
  const answers = ask(origin);
  await expect(asking).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  await turn();
  expect(answers).toMatchObject([{ error: { code: 'INVALID_REQUEST', sent: 'no' } }]);
});

test('a page stays allowed until the user removes it, and others are not affected', () => {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };
  const open = () => new AllowedPages(storage as never);
  open().allow('https://a.example', 'ZBC_A');
  open().allow('https://b.example', 'ZBC_B');
  expect([...open().all.keys()]).toEqual(['https://a.example', 'https://b.example']);
  open().forget('https://a.example');
  expect([...open().all]).toEqual([['https://b.example', 'ZBC_B']]);
});
