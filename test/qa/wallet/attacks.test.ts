import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { request } from 'undici';
import { chromiumOfFile } from '../chromium-of-file.js';
import { WalletScene } from './scene.js';

/** A host name that the browser resolves to this machine. */
const FOREIGN = 'foreign.test';

const browser = chromiumOfFile(FOREIGN);
let scene: WalletScene;
let foreign: Server;
let foreignUrl: string;
/** The document that the foreign server gives. */
let html: string;
/** The requests that the foreign server got. */
const reached: string[] = [];

beforeAll(async () => {
  foreign = createServer((request, response) => {
    reached.push(request.url!);
    response.end(html);
  });
  await new Promise<void>(resolve => foreign.listen(0, '127.0.0.1', resolve));
  foreignUrl = `http://${FOREIGN}:${(foreign.address() as AddressInfo).port}/`;
});

afterAll(async () => {
  foreign.closeAllConnections();
  foreign.close();
});

beforeEach(async () => {
  html = '<!doctype html><title>foreign</title>';
  scene = await WalletScene.open(browser());
});
afterEach(() => scene.close());

/** The result of a script in the page, or the name and message of its error. */
function attempt(page: Page, expression: string): Promise<string> {
  return page.evaluate<string>(
    `(async () => { try { return String(await (${expression})); } catch (error) { return String(error); } })()`,
  );
}

async function openForeign(document = html): Promise<Page> {
  html = document;
  const page = await scene.context.newPage();
  await page.goto(foreignUrl);
  return page;
}

describe('a foreign page', () => {
  test('can read neither the wallet nor the chain through the gateway', async () => {
    const page = await openForeign();
    for (const url of [
      scene.url,
      `${scene.devnet.url}/api/v1/node/info`,
      `${scene.devnet.url}/admin/state`,
    ]) {
      expect(await attempt(page, `fetch('${url}').then(r => r.text())`)).toMatch(
        /TypeError: Failed to fetch/,
      );
    }
  });

  test('gets no signature from the emulator, and cannot press its buttons', async () => {
    const page = await openForeign();
    const { api } = scene.server;
    const send = (path: string, body: string, mode = 'cors') =>
      attempt(
        page,
        `fetch('${api}${path}', { method: 'POST', mode: '${mode}', body: '${body}' }).then(r => r.text())`,
      );
    for (const mode of ['cors', 'no-cors']) {
      await send('/apdu', '{"data":"e004000004000000000"}', mode);
      await send('/button/both', '{"action":"press-and-release"}', mode);
    }
    expect(await send('/apdu', '{"data":"e003000000"}')).toMatch(/Failed to fetch/);
    const status = await request(`${api}/apdu`, {
      method: 'POST',
      headers: { origin: new URL(foreignUrl).origin },
      body: '{"data":"e003000000"}',
    });
    expect(status.statusCode).toBe(403);
    expect(scene.server.emulator.reviewing).toBe(false);
  });

  test('cannot show the wallet in a frame', async () => {
    const refused = scene.context.waitForEvent('console', message => /frame-ancestors/.test(message.text()));
    const page = await openForeign(`<!doctype html><iframe src="${scene.url}"></iframe>`);
    await refused;
    const [, frame] = page.frames();
    expect(await frame!.locator('#connect').count()).toBe(0);
  });

  test('gets no handle to a wallet page that it opens', async () => {
    const page = await openForeign();
    const opened = scene.context.waitForEvent('page');
    await page.evaluate(`window.handle = window.open('${scene.url}')`);
    const wallet = await opened;
    await wallet.locator('#connect').waitFor();
    expect(await attempt(page, 'handle.closed')).toBe('true');
    expect(await attempt(wallet, 'String(window.opener)')).toBe('null');
  });

  test('can neither read nor send messages between the tabs of the wallet', async () => {
    const wallet = await scene.openOverHid();
    const page = await openForeign();
    const listen = `
      window.heard = [];
      const channel = new BroadcastChannel('zbc-signer usb 1209:0001');
      channel.onmessage = event => heard.push(event.data.type);
    `;
    await wallet.evaluate(listen);
    await page.evaluate(`${listen}
      channel.postMessage({ type: 'wanted', from: 'foreign' });
      navigator.locks?.request('zbc-signer usb 1209:0001', { steal: true }, () => new Promise(() => {}));
    `);
    const second = await scene.openTab();
    await second.getByRole('button', { name: 'Use it here' }).click();
    await second.locator('#wallet').waitFor();
    await wallet.locator('#elsewhere').waitFor();
    expect(await attempt(wallet, 'heard.join()')).toBe('wanted,heard');
    expect(await attempt(page, 'heard.join()')).toBe('');
  });
});

describe('another name for the gateway', () => {
  test('gets no wallet page if it is a wrong Host header', async () => {
    const { statusCode } = await request(scene.url, { headers: { host: `${FOREIGN}:8883` } });
    expect(statusCode).toBe(403);
  });

  test('gets no wallet page in the browser either, if it was rebound to this machine', async () => {
    const page = await scene.context.newPage();
    const url = new URL(scene.url);
    url.hostname = FOREIGN;
    const response = await page.goto(url.href);
    expect(response!.status()).toBe(403);
    expect(await page.locator('#connect').count()).toBe(0);
  });
});

describe('the policy of the page', () => {
  test('allows no script but its own, and no request to another server', async () => {
    const page = await scene.openTab();
    const blocked = await attempt(
      page,
      `(() => {
        const script = document.createElement('script');
        const policy = new Promise(resolve => addEventListener('securitypolicyviolation', e => resolve(e.violatedDirective), { once: true }));
        try { script.textContent = 'window.ran = true'; } catch (error) { return 'trusted types'; }
        document.head.append(script);
        return policy;
      })()`,
    );
    expect(blocked).toMatch(/trusted types|script-src/);
    expect(await attempt(page, 'window.ran')).toBe('undefined');
    reached.length = 0;
    expect(await attempt(page, `fetch('${foreignUrl}', { mode: 'no-cors' })`)).toMatch(/Failed to fetch/);
    const image = `new Promise(resolve => { const i = new Image(); i.onerror = () => resolve('blocked'); i.onload = () => resolve('loaded'); i.src = '${foreignUrl}x.png'; })`;
    expect(await attempt(page, image)).toBe('blocked');
    expect(reached).toEqual([]);
  });

  test('is the policy that the gateway sends', async () => {
    const { headers } = await request(scene.url);
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; img-src data:; style-src 'sha256-[\w+/=]+'; script-src 'sha256-[\w+/=]+'; connect-src 'self' http:\/\/127\.0\.0\.1:\* http:\/\/localhost:\*; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'$/,
    );
    expect(headers['cross-origin-opener-policy']).toBe('same-origin');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['permissions-policy']).toMatch(/hid=\(self\), usb=\(self\)/);
  });
});
