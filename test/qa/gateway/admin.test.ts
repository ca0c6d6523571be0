import type { Page, Request } from 'playwright-core';
import type { NodeRole } from '#gateway/base/node-address.js';
import { gatewayConfig } from '../../../testkit/gateway/gateway-config.js';
import { GatewayFixture, startNodes } from '../../../testkit/gateway/gateway-fixture.js';
import { json, OTHER_GENESIS, RecordingNode } from '../../../testkit/gateway/recording-node.js';
import { faultsOf } from '../../../testkit/screen/layout.js';
import { chromiumOfFile } from '../chromium-of-file.js';

const KEY = gatewayConfig().adminApiKey;

const browser = chromiumOfFile();
let fixture: GatewayFixture;
let page: Page;
/** Complaints of the browser: failed scripts, and everything that the page's policy blocked. */
let complaints: string[];
let requests: Request[];
/** Nodes that the gateway does not know at the start. */
let strangers: RecordingNode[];

beforeEach(async () => {
  fixture = await GatewayFixture.open(await startNodes({ archival: [json(200, {})], full: [json(200, {})] }));
  const context = await browser().newContext({ viewport: { width: 1360, height: 900 } });
  page = await context.newPage();
  complaints = [];
  requests = [];
  strangers = [];
  page.on('console', message => complaints.push(message.text()));
  page.on('pageerror', error => complaints.push(error.message));
  page.on('request', request => requests.push(request));
  await page.goto(`${fixture.gateway.url}/admin`);
});

afterEach(async () => {
  await page.context().close();
  await fixture.close();
  await Promise.all(strangers.map(node => node.stop()));
});

async function startStranger(role: NodeRole): Promise<RecordingNode> {
  const node = await RecordingNode.start(role);
  strangers.push(node);
  return node;
}

async function unlock(key = KEY): Promise<void> {
  await page.getByLabel('Admin key').fill(key);
  await page.keyboard.press('Enter');
}

const sees = (selector: string, text: string | RegExp) =>
  page.locator(selector).filter({ hasText: text }).first().waitFor();
const row = (node: RecordingNode) => page.locator('#nodes li', { hasText: `127.0.0.1:${node.port}` });

/** A 401 is always logged to the console; any other message is a fault of the page. */
const faults = () => complaints.filter(text => !/status of 401/.test(text));

describe('the key', () => {
  test('opens the page, and is not shown, stored or put into a URL', async () => {
    await unlock();
    await sees('#nodes li', 'is routed to');
    expect(await faultsOf(page)).toEqual([]);
    expect(await page.locator('#key-form').isVisible()).toBe(false);
    expect(await page.getByLabel('Admin key').inputValue()).toBe('');
    expect(await page.getByLabel('Admin key').getAttribute('type')).toBe('password');
    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, document.documentElement.outerHTML])',
    );
    expect(kept).not.toContain(KEY);
    expect(await page.context().storageState()).toEqual({ cookies: [], origins: [] });
    for (const request of requests) {
      expect(request.url()).not.toContain(KEY);
      expect(request.postData() ?? '').not.toContain(KEY);
    }
    const asked = requests.find(request => request.url().endsWith('/admin/state'))!;
    expect(asked.headers().authorization).toBe(`Bearer ${KEY}`);
    expect(faults()).toEqual([]);
  });

  test('is requested again when it is wrong, and nothing is shown', async () => {
    await unlock('w'.repeat(43));
    await sees('#key-result', 'The admin key is invalid');
    expect(await page.locator('#panel').isVisible()).toBe(false);
    expect(await page.locator('#nodes li').count()).toBe(0);
    await unlock();
    await sees('#nodes li', 'is routed to');
  });

  test('is forgotten by a reload and by locking the page', async () => {
    await unlock();
    await sees('#nodes li', 'is routed to');
    await page.getByRole('button', { name: 'Lock' }).click();
    await page.getByLabel('Admin key').waitFor();
    expect(await page.locator('#nodes li').count()).toBe(0);
    const asked = requests.length;
    await page.waitForTimeout(3500);
    expect(requests.length).toBe(asked);
    await unlock();
    await sees('#nodes li', 'is routed to');
    await page.reload();
    expect(await page.locator('#key-form').isVisible()).toBe(true);
  });
});

test.each([1280, 390])(
  'every action fits into a window of %i pixels, whatever the nodes report',
  async width => {
    const [archival] = fixture.nodes as [RecordingNode, RecordingNode];
    archival.genesisHash = OTHER_GENESIS;
    await fixture.gateway.context.nodes.refresh();
    await page.setViewportSize({ width, height: 900 });
    await unlock();
    await sees('#nodes li', 'is on another chain');
    const boxes = await Promise.all(
      (await page.locator('#nodes button').all()).map(button => button.boundingBox()),
    );
    expect(boxes).toHaveLength(2);
    for (const box of boxes) expect([box!.x >= 0, box!.x + box!.width <= width]).toEqual([true, true]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  },
);

test('the page shows nodes, health and the machine, and follows their changes', async () => {
  const [archival, full] = fixture.nodes as [RecordingNode, RecordingNode];
  await unlock();
  await sees('#nodes li', `127.0.0.1:${archival.port}`);
  for (const fact of ['archival · static · height 7', '0 failed'])
    await row(archival).filter({ hasText: fact }).waitFor();
  for (const [list, term] of [
    ['#gateway', 'gateway.test'],
    ['#system', 'Memory free'],
  ] as const) {
    await sees(list, term);
  }
  await full.stop();
  await page.getByRole('button', { name: 'Check all nodes' }).click();
  await row(full).locator('.bad').first().waitFor();
  await full.listen();
  expect(faults()).toEqual([]);
});

test('the page shows a node on a different chain', async () => {
  const foreign = await startStranger('full');
  foreign.genesisHash = OTHER_GENESIS;
  await unlock();
  await page.getByLabel('IPv4 address').fill('127.0.0.1');
  await page.getByLabel('Port', { exact: true }).fill(`${foreign.port}`);
  await page.keyboard.press('Enter');
  await row(foreign).filter({ hasText: 'is on another chain' }).waitFor();
});

describe('the allowlist', () => {
  test('can be changed with only the keyboard', async () => {
    const stranger = await startStranger('archival');
    await unlock();
    await page.locator('#ip:focus').waitFor();
    await page.keyboard.type('127.0.0.1');
    await page.keyboard.press('Tab');
    await page.keyboard.type(`${stranger.port}`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await sees('#write-result', `Added 127.0.0.1:${stranger.port}.`);
    await row(stranger).filter({ hasText: 'archival' }).filter({ hasText: 'admin' }).waitFor();
    await page.getByRole('button', { name: `Remove 127.0.0.1:${stranger.port}` }).focus();
    await page.keyboard.press('Enter');
    await sees('#write-result', `Removed 127.0.0.1:${stranger.port}.`);
    await row(stranger).waitFor({ state: 'detached' });
    expect(fixture.gateway.context.nodes.nodes()).toHaveLength(2);
  });

  test('reports an invalid entry', async () => {
    await unlock();
    await page.getByLabel('IPv4 address').fill('127.1');
    await page.getByRole('button', { name: 'Add node' }).click();
    await sees('#write-result.bad', 'ip must be an IP address');
  });

  test('keeps the focus on a button while the numbers change', async () => {
    await unlock();
    await page
      .getByRole('button', { name: /^Remove/ })
      .first()
      .focus();
    const focused = await page.locator(':focus').getAttribute('aria-label');
    await page.waitForResponse(response => response.url().endsWith('/admin/state'));
    await page.waitForResponse(response => response.url().endsWith('/admin/state'));
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe(focused);
  });
});

test('the page asks before the last node is removed', async () => {
  const [archival, full] = fixture.nodes as [RecordingNode, RecordingNode];
  const press = async ({ port }: RecordingNode) => {
    await page.getByRole('button', { name: `Remove 127.0.0.1:${port}`, exact: true }).focus();
    await page.keyboard.press('Enter');
  };
  await unlock();
  await press(archival);
  await row(archival).waitFor({ state: 'detached' });
  for (const isMeant of [false, true]) {
    const asked = new Promise<string>(resolve =>
      page.once('dialog', async dialog => {
        await (isMeant ? dialog.accept() : dialog.dismiss());
        resolve(dialog.message());
      }),
    );
    await press(full);
    expect(await asked).toContain(`127.0.0.1:${full.port} is the last node`);
    if (!isMeant) expect(fixture.gateway.context.nodes.nodes()).toHaveLength(1);
  }
  await sees('#nodes li', 'No node is admitted.');
  expect(faults()).toEqual([]);
});

test('the page shows everything from the network as text', async () => {
  const hostile = '<img src=/x onerror=alert(1)><b>&amp;';
  await page.route('**/admin/state', async route => {
    const response = await route.fetch();
    const state = await response.json();
    Object.assign(state.nodes[0], {
      routed: false,
      state: hostile,
      height: hostile,
      role: hostile,
      ip: hostile,
    });
    state.gateway.domain = hostile;
    await route.fulfill({ response, json: state });
  });
  await unlock();
  await sees('#nodes li .bad', hostile);
  await sees('#gateway dd', hostile);
  expect(await page.locator('img, b b').count()).toBe(0);
  expect(faults()).toEqual([]);
});

test('the page sends no request to another server', async () => {
  await unlock();
  await sees('#nodes li', 'is routed to');
  const origin = `${fixture.gateway.url}/`;
  expect(
    requests.filter(request => !request.url().startsWith(origin) && !request.url().startsWith('data:')),
  ).toEqual([]);
  expect(faults()).toEqual([]);
});

test('the page reports that the gateway does not answer, and recovers when it answers again', async () => {
  await unlock();
  await sees('#nodes li', 'is routed to');
  await page.route('**/admin/state', route => route.abort());
  await sees('#connection.bad', 'No response from the gateway. Retrying…');
  await page.unroute('**/admin/state');
  await sees('#connection.hint', 'As of');
});
