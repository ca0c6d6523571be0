import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { decodeAddress, fromHex, verify } from '@zbc-signer/chain';
import { readSignedText } from '@zbc-signer/connect';
import { GatewayClient } from '@zbc-signer/host';
import type { Page } from 'playwright-core';
import type { Page as FirefoxPage } from 'puppeteer-core';
import { readText } from '../../../testkit/repository/repository.js';
import { accounts } from '../../../testkit/repository/vectors.js';
import {
  closeTask,
  connectEmulator,
  openPlace,
  pressReview,
  requestCoins,
} from '../../../testkit/screen/wallet-page.js';
import { launchFirefox } from './firefox.js';
import { askByHand, WalletScene } from './scene.js';

/** The package that an asking page serves, and the example of docs/CONNECT.md. */
const SCRIPTS = fileURLToPath(new URL('../../../../connect/dist/', import.meta.url));
const [, EXAMPLE = ''] = /```html\n([\s\S]*?)```/.exec(readText('docs/CONNECT.md')) ?? [];
const EMPTY = '<!doctype html><title>a page</title>';
const [FIRST, SECOND] = accounts.cases.map(({ address }) => address) as [string, string];

let scene: WalletScene;
let server: Server;
let port: number;
/** The headers that the server sends with documents. */
let headers: Record<string, string> = {};

beforeAll(async () => {
  scene = await WalletScene.launch();
  server = createServer(({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://page');
    const script = /^\/connect\/([\w-]+\.js)$/.exec(pathname)?.[1];
    response.writeHead(200, { ...headers, 'content-type': script ? 'text/javascript' : 'text/html' });
    response.end(script ? readFileSync(SCRIPTS + script) : pathname === '/shop' ? EXAMPLE : EMPTY);
  });
  await new Promise<void>(resolve => server.listen(0, resolve));
  port = (server.address() as AddressInfo).port;
  const wallet = await scene.openConnected();
  await requestCoins(wallet);
  await wallet.close();
});

afterAll(async () => {
  server?.closeAllConnections();
  server?.close();
  await scene?.close();
});

afterEach(async () => {
  headers = {};
  for (const page of scene.context.pages()) await page.close();
});

const originOf = (host: string) => `http://${host}:${port}`;

/** Opens a page of the server; `127.0.0.1` and `localhost` are two origins. */
async function openPage(host = 'localhost', path = '/', context = scene.context): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${originOf(host)}${path}?gateway=${encodeURIComponent(scene.devnet.url)}`);
  return page;
}

/** The window that the page opens by `act`. */
async function windowOf(page: Page, act: () => Promise<unknown>): Promise<Page> {
  const [opened] = await Promise.all([page.waitForEvent('popup'), act()]);
  return opened;
}

/** Begins a request, whose outcome the page keeps in `window.end`. */
async function ask(page: Page, call: string): Promise<Page> {
  return windowOf(page, () =>
    page.evaluate(`(async () => {
      const { ConnectWindow } = await import('/connect/index.js');
      window.wallet ??= new ConnectWindow('${scene.devnet.url}');
      window.end = wallet.${call}.catch(({ code, sent }) => ({ code, sent }));
      return undefined;
    })()`),
  );
}

const endOf = (page: Page) => page.evaluate<Record<string, unknown>>('end');

async function forgetPages(): Promise<void> {
  const page = await scene.context.newPage();
  await page.goto(`${scene.devnet.url}/connect/`);
  await page.evaluate(`localStorage.removeItem('zbc-wallet pages')`);
  await page.close();
}

/** The window may close before the click has ended. */
async function press(window: Page, selector: string): Promise<void> {
  const closed = window.waitForEvent('close').catch(() => undefined);
  await Promise.race([
    window
      .locator(selector)
      .click()
      .catch(() => closed),
    closed,
  ]);
}

const allow = (window: Page) => press(window, '#allow:enabled');

/** The origin that the window shows, once it has heard from its opener. */
async function originIn(window: Page): Promise<string | null> {
  const origin = window.locator('#asking-origin');
  await origin.waitFor();
  return origin.textContent();
}

describe('the example of docs/CONNECT.md', () => {
  test('signs its user in and receives a payment, both exactly as the device showed', async () => {
    const shop = await openPage('localhost', '/shop');
    const { emulator } = scene.server;

    const signing = await windowOf(shop, () => shop.getByRole('button', { name: 'Sign in' }).click());
    expect(await originIn(signing)).toBe(originOf('localhost'));
    await allow(signing);
    const text = new Map(await emulator.review()).get('Message')!;
    expect(text).toContain(`Origin: ${originOf('localhost')}Time: `);
    await emulator.approve();
    await shop.getByText(`You are ${FIRST}`).waitFor();
    expect(signing.isClosed()).toBe(true);

    const paying = await windowOf(shop, () => shop.getByRole('button', { name: 'Pay' }).click());
    const items = new Map(await emulator.review());
    const heading = await paying.locator('#task-heading').textContent();
    expect(heading).toBe(`${originOf('localhost')} asks for 1.5 ZBC`);
    expect([items.get('Recipient'), items.get('Amount'), items.get('Message')]).toEqual([
      SECOND,
      '1.5 ZBC',
      'order 7',
    ]);
    await emulator.approve();
    await shop.getByText(/^Paid in block \d+: [0-9a-f]{64}$/).waitFor();
    expect(paying.isClosed()).toBe(true);
    const paid = await new GatewayClient(scene.devnet.url).account(SECOND);
    expect(paid?.balance).toBe(150_000_000n);
    expect(scene.complaints).toEqual([]);
  });
});

test('the example signs its user in on Firefox, with a device that is connected in the window', async () => {
  const firefox = await launchFirefox();
  try {
    const shop = await firefox.newPage();
    await shop.goto(`${originOf('localhost')}/shop?gateway=${encodeURIComponent(scene.devnet.url)}`);
    const opened = new Promise<FirefoxPage | null>(resolve => shop.once('popup', resolve));
    await shop.locator('#sign-in').click();
    const window = (await opened)!;
    await window.locator('#emulator-url').fill(scene.server.api);
    await window.locator('#emulator-form button').click();
    await window.locator('#allow:enabled').click();
    const shown = new Map(await scene.server.emulator.review()).get('Message');
    expect(shown).toContain(`Origin: ${originOf('localhost')}Time: `);
    await scene.server.emulator.approve();
    await shop.waitForFunction(`document.querySelector('#said').textContent === 'You are ${FIRST}'`);
  } finally {
    await firefox.close();
  }
});

describe('a requesting page', () => {
  beforeEach(forgetPages);

  test.each([
    ['a device', 'a message', 'order 7'],
    ['no device', 'a message', 'order 7'],
    ['a device', '2000 lines', '\n'.repeat(2000)],
    ['a device', 'an address', SECOND],
  ])('with %s and %s, the window first shows what it asks and what to press', async (device, _, message) => {
    const context = await scene.context.browser()!.newContext();
    const page = await openPage('localhost', '/', device === 'a device' ? scene.context : context);
    const asked = { to: SECOND, amount: '1.50', message };
    const window = await ask(page, `send(${JSON.stringify(asked)})`);
    await window.setViewportSize({ width: 520, height: 760 });
    const next = window.locator(device === 'a device' ? '#allow:enabled' : '#connect-usb');
    await next.waitFor();
    expect(await window.locator('#allow').isVisible()).toBe(device === 'a device');
    expect(await window.locator('#asking-heading').innerText()).toBe('Pay 1.5 ZBC?');
    const facts = ['To', SECOND, 'Message', message];
    expect(await window.locator('#asking-facts > *').allTextContents()).toEqual(facts);
    // Only the recipient looks like an address, and each line feed has a mark.
    expect(await window.locator('#asking-facts .address').count()).toBe(1);
    expect(await window.locator('#asking-facts .return').count()).toBe(message.split('\n').length - 1);
    const { y, height } = (await next.boundingBox())!;
    expect(y + height).toBeLessThan(760);
    await context.close();
  });

  test('gets a signature over a text with its own origin and nonce', async () => {
    const page = await openPage();
    await allow(await ask(page, `signMessage('Hello\\nthere', 'nonce-of-a-test')`));
    await scene.server.emulator.approve();
    const { address, text, signature } = (await endOf(page)) as Record<string, string>;
    expect(address).toBe(FIRST);
    const parts = readSignedText(text!, { origin: originOf('localhost'), nonce: 'nonce-of-a-test' });
    expect(parts.message).toBe('Hello\nthere');
    expect(verify(fromHex(signature!), Buffer.from(text!), decodeAddress(address!))).toBe(true);
  });

  test('finds each wallet that announces itself inside the page once, before or after the search starts', async () => {
    const page = await openPage();
    const found = await page.evaluate(`(async () => {
      const { announceWallet, findWallets } = await import('/connect/index.js');
      const names = [];
      announceWallet({ name: 'before' });
      const stop = findWallets(({ name }) => names.push(name));
      const withdraw = announceWallet({ name: 'after' });
      dispatchEvent(new CustomEvent('zbc-signer:announce', { detail: 'no wallet' }));
      findWallets(() => {})();
      withdraw();
      stop();
      announceWallet({ name: 'late' });
      return names;
    })()`);
    expect(found).toEqual(['before', 'after']);
  });

  test('gets no account if the user refuses, and the user is asked again next time', async () => {
    const page = await openPage();
    for (const _ of [1, 2]) {
      await press(await ask(page, 'account()'), '#refuse');
      expect(await endOf(page)).toEqual({ code: 'REQUEST_REFUSED', sent: 'no' });
    }
  });

  test('causes no further question once it is allowed, until the user removes it in the settings', async () => {
    const page = await openPage();
    await allow(await ask(page, 'account()'));
    expect(await endOf(page)).toMatchObject({ address: FIRST });
    await ask(page, 'account()');
    expect(await endOf(page)).toMatchObject({ address: FIRST });

    const list = await scene.openTab();
    await openPlace(list, 'Settings');
    await list.getByRole('link', { name: 'See or remove allowed pages' }).click();
    await list.getByText(originOf('localhost')).waitFor();
    await list.getByRole('button', { name: 'Remove' }).click();
    await list.locator('#none-allowed').waitFor();
    await (await ask(page, 'account()')).locator('#allow:enabled').waitFor();
  });

  test.each([
    ['signMessage("Hello")', 'no'],
    [`send({ to: '${SECOND}', amount: '1' })`, 'no'],
  ])('learns that %s was rejected on the device, which the window tells the user', async (call, sent) => {
    const page = await openPage();
    const window = await ask(page, call);
    await allow(window);
    await scene.server.emulator.reject();
    expect(await endOf(page)).toEqual({ code: 'USER_REJECTED', sent });
    await window.getByText('You rejected it on the device').first().waitFor();
    const closed = window.waitForEvent('close');
    await window.locator('#task-close').click();
    await closed;
  });

  test.each([
    ['before the page is allowed', async () => {}],
    [
      'during the review',
      async (window: Page) => {
        await allow(window);
        await scene.server.emulator.waitForReview();
      },
    ],
  ])('learns that nothing was sent when the window is closed %s', async (_, reach) => {
    const page = await openPage();
    const window = await ask(page, `send({ to: '${SECOND}', amount: '1' })`);
    await window.locator('#allow:enabled').waitFor();
    await reach(window);
    await window.close({ runBeforeUnload: true });
    expect(await endOf(page)).toEqual({ code: 'WINDOW_CLOSED', sent: 'no' });
    if (scene.server.emulator.reviewing) await scene.server.emulator.reject();
  });

  test('can have only one pending request', async () => {
    const page = await openPage();
    const window = await ask(page, 'account()');
    await originIn(window);
    const codes = `Promise.all(Array.from({ length: 1000 }, () => wallet.account().catch(({ code }) => code)))`;
    expect(new Set(await page.evaluate<string[]>(codes))).toEqual(new Set(['REQUEST_PENDING']));
    expect(scene.context.pages()).toHaveLength(2);
  });

  test.each([`signMessage('caf\\u00e9')`, `signMessage('a\\u0007')`, `signMessage('Hello', 'short')`])(
    'learns that %s is invalid before a window opens',
    async call => {
      const page = await openPage();
      const code = await page.evaluate(`(async () => {
        window.open = () => null;
        const { ConnectWindow } = await import('/connect/index.js');
        return new ConnectWindow('${scene.devnet.url}').${call}.catch(({ code }) => code);
      })()`);
      expect(code).toBe('INVALID_SIGNED_TEXT');
    },
  );

  test.each([
    [`send({ to: 'ZBC_', amount: '1' })`, 'ADDRESS_LENGTH'],
    [`send({ to: '${SECOND}', amount: '1,5' })`, 'AMOUNT_FORMAT'],
    [`send({ to: '${SECOND}', amount: 1 })`, 'INVALID_REQUEST'],
  ])('learns that %s is invalid, and the device is not asked', async (call, code) => {
    const page = await openPage();
    await ask(page, call);
    expect(await endOf(page)).toMatchObject({ code, sent: 'no' });
    expect(scene.server.emulator.reviewing).toBe(false);
  });

  test('learns which URL did not respond like a gateway', async () => {
    const page = await openPage();
    const window = await windowOf(page, () =>
      page.evaluate(`(async () => {
        const { ConnectWindow } = await import('/connect/index.js');
        window.end = new ConnectWindow(location.origin).send({ to: '', amount: '' }).catch(error => error);
        return undefined;
      })()`),
    );
    await window.waitForLoadState();
    await window.close();
    const error = await page.evaluate(`end.then(({ code, sent, message }) => ({ code, sent, message }))`);
    expect(error).toMatchObject({ code: 'WINDOW_CLOSED', sent: 'no' });
    expect(error).toMatchObject({ message: expect.stringContaining(`${originOf('localhost')}/connect/`) });
  });

  test('must wait until the user connects a signer before it gets an account', async () => {
    const context = await scene.context.browser()!.newContext();
    const page = await openPage('localhost', '/', context);
    const window = await ask(page, 'account()');
    await originIn(window);
    await window.locator('#asking-device').waitFor();
    expect(await window.locator('#asking-account').isVisible()).toBe(false);
    await connectEmulator(window, scene.server.api);
    await window.locator('#asking-account').waitFor();
    expect(await window.locator('#asking-device').isVisible()).toBe(false);
    await allow(window);
    expect(await endOf(page)).toMatchObject({ address: FIRST });
    await context.close();
  });

  test('learns that the window is closed if its own policy cuts it off from the window', async () => {
    headers = { 'cross-origin-opener-policy': 'same-origin' };
    const page = await openPage();
    await page.evaluate(`(async () => {
      const { ConnectWindow } = await import('/connect/index.js');
      window.end = new ConnectWindow('${scene.devnet.url}').account().catch(({ code, sent }) => ({ code, sent }));
    })()`);
    expect(await endOf(page)).toEqual({ code: 'WINDOW_CLOSED', sent: 'no' });
  });
});

describe('an attacker', () => {
  beforeEach(forgetPages);

  const byHand = (requests: string) => askByHand(scene.devnet.url, requests);

  test('cannot request in the name of another origin', async () => {
    const page = await openPage('127.0.0.1');
    const asked = `[{ method: 'sign', message: 'Hello', nonce: 'nonce-of-a-test', origin: 'https://bank.example' }]`;
    const window = await windowOf(page, () => page.evaluate(byHand(asked)));
    await window.locator('#asking:not([hidden])').waitFor();
    expect(await originIn(window)).toBe(originOf('127.0.0.1'));
    await allow(window);
    const shown = new Map(await scene.server.emulator.review()).get('Message');
    expect(shown).toContain(`Origin: ${originOf('127.0.0.1')}Time: `);
    expect(shown).not.toContain('bank.example');
    await scene.server.emulator.reject();
  });

  test('cannot name a recipient: the device shows the name that the user has approved for the address', async () => {
    const { emulator } = scene.server;
    const wallet = await scene.openTab();
    await wallet.locator('#wallet').waitFor();
    await openPlace(wallet, 'Contacts');
    await wallet.locator('#contact-name').fill('Bob');
    await wallet.locator('#contact-address').fill(SECOND);
    await pressReview(wallet);
    await emulator.review();
    await emulator.approve();
    await closeTask(wallet);
    await wallet.close();
    const page = await openPage('127.0.0.1');
    const payment = (to: string, more: string) =>
      `[{ method: 'send', to: '${to}', amount: '1', message: '', ${more} }]`;

    const named = payment(SECOND, `name: 'Carol', contacts: { recipient: { name: 'Carol' } }`);
    const paying = await windowOf(page, () => page.evaluate(byHand(named)));
    await allow(paying);
    expect(new Map(await emulator.review()).get('Recipient contact')).toBe('Bob');
    await paying.getByText('The device shows Recipient contact: Bob and the address.').waitFor();
    await emulator.reject();
    await page.waitForFunction('answers.length > 0');
    await paying.close();

    await windowOf(page, () => page.evaluate(byHand(payment('Bob', ''))));
    await page.waitForFunction('answers.length > 0');
    expect(await page.evaluate('answers[0].error.sent')).toBe('no');
    expect(emulator.reviewing).toBe(false);
  });

  test('cannot get a text signed that no device can show, even without the library', async () => {
    const page = await openPage('127.0.0.1');
    const asked = `[{ method: 'sign', message: 'caf\\u00e9', nonce: 'nonce-of-a-test' }]`;
    await allow(await windowOf(page, () => page.evaluate(byHand(asked))));
    await page.waitForFunction('answers.length > 0');
    const error = expect.objectContaining({ code: 'INVALID_SIGNED_TEXT', sent: 'no' });
    expect(await page.evaluate('answers')).toEqual([{ error }]);
    expect(scene.server.emulator.reviewing).toBe(false);
  });

  test('does not benefit from the permission of another page', async () => {
    const allowed = await openPage('localhost');
    await allow(await ask(allowed, 'account()'));
    await endOf(allowed);
    const page = await openPage('127.0.0.1');
    const window = await ask(page, 'account()');
    await window.locator('#allow:enabled').waitFor();
    await window.waitForTimeout(500);
    expect(window.isClosed()).toBe(false);
  });

  test('that sends a thousand requests to one window gets only the first request answered', async () => {
    const page = await openPage('127.0.0.1');
    const asked = `Array.from({ length: 1000 }, (_, at) => ({ method: at === 0 ? 'account' : 'send', to: '${SECOND}', amount: '9', message: '' }))`;
    const window = await windowOf(page, () => page.evaluate(byHand(asked)));
    await allow(window);
    await page.waitForFunction('answers.length > 0');
    await page.waitForTimeout(500);
    expect(await page.evaluate('answers')).toEqual([{ value: expect.objectContaining({ address: FIRST }) }]);
    expect(scene.server.emulator.reviewing).toBe(false);
  });

  test('cannot forge a second click of the user', async () => {
    const page = await openPage('127.0.0.1');
    const window = await ask(page, 'account()');
    await window.locator('#allow:enabled').waitFor();
    // The second click of a double click comes up to half a second after the first.
    await window.evaluate(`{
      const click = () => document.querySelector('#allow').click();
      dispatchEvent(new Event('focus'));
      click();
      setTimeout(click, 500);
    }`);
    await window.waitForTimeout(600);
    expect(window.isClosed()).toBe(false);
    await allow(window);
    expect(await endOf(page)).toMatchObject({ address: FIRST });
  });

  test('cannot have the click that connects the signer allow it', async () => {
    const context = await scene.context.browser()!.newContext();
    const page = await openPage('localhost', '/', context);
    const window = await ask(page, 'account()');
    await window.locator('#asking-device').waitFor();
    await window.waitForTimeout(1000);
    await window.evaluate(`{
      seen = {};
      const allow = document.querySelector('#allow');
      new MutationObserver(() => {
        if (!allow.hidden) seen.shown ??= performance.now();
        if (!allow.hidden && !allow.disabled) seen.usable ??= performance.now();
      }).observe(allow, { attributes: true });
    }`);
    await connectEmulator(window, scene.server.api);
    await window.locator('#allow:enabled').waitFor();
    await window.waitForTimeout(100);
    expect(await window.evaluate('seen.usable - seen.shown')).toBeGreaterThan(500);
    await context.close();
  });

  test('cannot show the connect page in a frame', async () => {
    const page = await openPage('127.0.0.1');
    const refused = page.waitForEvent('console', message => /frame-ancestors/.test(message.text()));
    await page.evaluate(`{
      const frame = document.createElement('iframe');
      frame.src = '${scene.devnet.url}/connect/';
      document.body.append(frame);
    }`);
    await refused;
    expect(await page.frames()[1]!.locator('#asking').count()).toBe(0);
    scene.complaints.length = 0;
  });

  test('in a frame of the page that opened the window cannot send requests', async () => {
    const page = await openPage('localhost');
    const window = await windowOf(page, () => page.evaluate(byHand('[]')));
    await page.evaluate(`new Promise(resolve => {
      const frame = document.createElement('iframe');
      frame.src = '/';
      frame.onload = resolve;
      document.body.append(frame);
    })`);
    await page
      .frames()[1]!
      .evaluate(`parent.opened.postMessage({ method: 'account' }, '*', [new MessageChannel().port2])`);
    await window.waitForTimeout(500);
    expect(await window.locator('#asking').isVisible()).toBe(false);
  });

  test('cannot answer for the wallet from another window', async () => {
    const page = await openPage('localhost');
    const window = await ask(page, 'account()');
    await originIn(window);
    await page.evaluate(`{
      const forged = { value: { address: 'forged', publicKey: '' } };
      for (const data of ['zbc-signer connect 1', forged]) {
        window.postMessage(data, '*');
        window.dispatchEvent(new MessageEvent('message', { data, origin: '${scene.devnet.url}', source: window }));
      }
    }`);
    await allow(window);
    expect(await endOf(page)).toMatchObject({ address: FIRST });
  });

  test('that replaces the requesting page receives neither its reply nor its name', async () => {
    const page = await openPage('localhost');
    const window = await ask(page, 'account()');
    await window.locator('#allow:enabled').waitFor();
    await page.goto(`${originOf('127.0.0.1')}/`);
    await page.evaluate(
      `{ window.heard = []; addEventListener('message', ({ data }) => heard.push(data)); }`,
    );
    const closed = window.waitForEvent('close');
    await allow(window);
    await closed;
    expect(await page.evaluate('heard')).toEqual([]);
  });

  test('that closes the requesting page causes no payment', async () => {
    const page = await openPage('localhost');
    const window = await ask(page, `send({ to: '${SECOND}', amount: '1' })`);
    await allow(window);
    await scene.server.emulator.waitForReview();
    const closed = window.waitForEvent('close');
    await page.close();
    await closed;
    if (scene.server.emulator.reviewing) await scene.server.emulator.approve();
    const client = new GatewayClient(scene.devnet.url);
    const before = (await client.account(SECOND))?.balance;
    await new Promise(resolve => setTimeout(resolve, 1500));
    expect((await client.account(SECOND))?.balance).toBe(before);
  });

  test('gets no handle to the wallet page through the connect page', async () => {
    const page = await openPage('127.0.0.1');
    const window = await windowOf(page, () => page.evaluate(byHand('[]')));
    await window.goto(scene.url);
    await window.locator('#task').waitFor({ state: 'attached' });
    expect(await page.evaluate('opened.closed')).toBe(true);
    expect(await window.evaluate('window.opener === null')).toBe(true);
  });
});
