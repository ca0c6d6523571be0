import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EmulatorServer } from '@zbc-signer/emulator';
import type { Page } from 'playwright-core';
import { startServer } from '../../../testkit/device/device-host.js';
import { chromiumOfFile } from '../chromium-of-file.js';

const FOREIGN = 'evil.example';

const browser = chromiumOfFile(FOREIGN);
let server: EmulatorServer;
let site: Server;
let sitePort: number;
let page: Page;

beforeAll(async () => {
  site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Another page</title>');
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  sitePort = (site.address() as AddressInfo).port;
});

afterAll(() => void site?.close());

beforeEach(async () => {
  server = await startServer();
  page = await browser().newPage();
});

afterEach(async () => {
  await page.close();
  await server.close();
});

/** The status of the emulator's answer to the page's script. */
async function statusOf(script: string): Promise<number> {
  const answered = page.waitForResponse(
    response =>
      new URL(response.url()).port === new URL(server.api).port && response.request().method() !== 'OPTIONS',
  );
  await page.evaluate(script);
  return (await answered).status();
}

const fetchOf = (path: string, options: object) =>
  `void fetch(${JSON.stringify(server.api + path)}, ${JSON.stringify(options)}).catch(() => 0)`;

const PRESS = { method: 'POST', body: '{"action":"press-and-release"}' };

const formPost = () => `
  const form = document.createElement('form');
  form.method = 'POST';
  form.enctype = 'text/plain';
  form.action = ${JSON.stringify(`${server.api}/button/right`)};
  const field = document.createElement('input');
  field.name = '{"action":"press-and-release","delay":0';
  field.value = '0}';
  form.append(field);
  document.body.append(form);
  form.submit();`;

const isUntouched = () => server.emulator.texts().join() === 'ZBC Signer,is ready';

describe('a page of another origin', () => {
  beforeEach(async () => {
    await page.goto(`http://${FOREIGN}:${sitePort}/`);
  });

  test.each([
    ['by a fetch without CORS', () => fetchOf('/button/right', { ...PRESS, mode: 'no-cors' })],
    ['by a form', formPost],
  ])('cannot press a button %s', async (_way, script) => {
    expect(await statusOf(script())).toBe(403);
    expect(isUntouched()).toBe(true);
  });

  test('learns nothing about a press that it tries by fetch', async () => {
    const press = `fetch('${server.api}/button/right', ${JSON.stringify(PRESS)}).then(r => r.status, e => e.name)`;
    expect(await page.evaluate(press)).toBe('TypeError');
    expect(isUntouched()).toBe(true);
  });

  test('cannot press a button without sending its origin', async () => {
    const quiet = { ...PRESS, mode: 'no-cors', referrerPolicy: 'no-referrer' };
    expect(await statusOf(fetchOf('/button/right', quiet))).toBe(403);
    expect(isUntouched()).toBe(true);
  });

  test('cannot send a command', async () => {
    const command = { method: 'POST', body: '{"data":"e00501000400000000"}', mode: 'no-cors' };
    expect(await statusOf(fetchOf('/apdu', command))).toBe(403);
    expect(isUntouched()).toBe(true);
  });

  test('cannot read the screen', async () => {
    const read = `fetch(${JSON.stringify(`${server.api}/events`)}).then(r => r.text(), e => e.name)`;
    expect(await page.evaluate(read)).toBe('TypeError');
  });

  test('cannot embed the panel in a frame', async () => {
    await page.evaluate(`
      const frame = document.createElement('iframe');
      frame.src = ${JSON.stringify(server.api)};
      new Promise(resolve => { frame.onload = resolve; document.body.append(frame); })`);
    const [, frame] = page.frames();
    expect(await frame!.locator('#right').count()).toBe(0);
  });
});

describe('a foreign name that was rebound to this machine', () => {
  const rebound = () => server.api.replace('127.0.0.1', FOREIGN);

  test.each(['/', '/events', '/screenshot', '/panel/stream'])('cannot read %s', async path => {
    const response = await page.goto(rebound() + path);
    expect(response!.status()).toBe(403);
  });

  test('cannot press a button from its own origin', async () => {
    await page.goto(rebound());
    expect(await statusOf(`void fetch('/button/right', ${JSON.stringify(PRESS)})`)).toBe(403);
    expect(isUntouched()).toBe(true);
  });
});

test('pages of this machine may press buttons, so that tools can use them', async () => {
  await page.goto(`http://127.0.0.1:${sitePort}/`);
  expect(await statusOf(fetchOf('/button/right', PRESS))).toBe(200);
  expect(server.emulator.texts()).toEqual(['Settings']);
});
