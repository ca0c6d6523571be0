import { createHash } from 'node:crypto';
import type { Page, Request } from 'playwright-core';
import { GatewayFixture, startNodes } from '../../../testkit/gateway/gateway-fixture.js';
import { publishing } from '../../../testkit/gateway/published.js';
import { type Answer, json } from '../../../testkit/gateway/recording-node.js';
import { chromiumOfFile } from '../chromium-of-file.js';

const GENUINE = Buffer.from('a genuine bundle');
const HASH = createHash('sha256').update(GENUINE).digest('hex');
const FILE = { arch: 'x86_64', name: 'zbc-node.tar.gz', size: GENUINE.length, sha256: HASH };

const browser = chromiumOfFile();
let fixture: GatewayFixture;
let page: Page;
let complaints: string[];
let requests: Request[];

afterEach(async () => {
  await page.context().close();
  await fixture.close();
});

async function open(path: string, answer: Answer): Promise<void> {
  fixture = await GatewayFixture.open(await startNodes({ archival: [answer], full: [answer] }), {
    faucet: true,
  });
  page = await (await browser().newContext()).newPage();
  complaints = [];
  requests = [];
  page.on('console', message => complaints.push(message.text()));
  page.on('pageerror', error => complaints.push(error.message));
  page.on('request', request => requests.push(request));
  await page.goto(fixture.gateway.url + path);
}

const sees = (selector: string, text: string) =>
  page.locator(selector).filter({ hasText: text }).first().waitFor();

function choose(name: string, content: Buffer): Promise<void> {
  return page
    .getByLabel('Drop a file here')
    .setInputFiles({ name, mimeType: 'application/gzip', buffer: content });
}

describe('the verify page', () => {
  test('shows the name under which a chosen file is published, without sending the file', async () => {
    await open('/verify', publishing([FILE]));
    await choose('download.tar.gz', GENUINE);
    await sees('#result.good', 'Published: version 1.2.0, x86_64, as zbc-node.tar.gz');
    await sees('#result', HASH);
    const asked = requests.map(request => [
      request.method(),
      new URL(request.url()).search,
      request.postData(),
    ]);
    expect(asked.slice(1).filter(([, search]) => search !== '')).toEqual([['GET', `?sha256=${HASH}`, null]]);
    expect(requests.every(request => request.method() === 'GET')).toBe(true);
    expect(complaints).toEqual([]);
  });

  test('shows that name for a file that is dropped', async () => {
    await open('/verify', publishing([FILE]));
    const transfer = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['a genuine bundle'], 'dropped'));
      return transfer;
    })()`);
    await page.dispatchEvent('#drop', 'drop', { dataTransfer: transfer });
    await sees('#result.good', 'Published: version 1.2.0');
  });

  test('shows clearly that a file is not published', async () => {
    await open('/verify', publishing([FILE]));
    await choose('altered', Buffer.from('an altered bundle'));
    await sees('#result.bad', 'NOT PUBLISHED');
    await choose('genuine', GENUINE);
    await sees('#result.good', 'Published');
  });

  test('never calls a file published or unpublished while the chain cannot be queried', async () => {
    await open('/verify', json(503, {}));
    await choose('bundle', GENUINE);
    await sees('#result.bad', 'Unknown: The nodes are overloaded');
    await page.route('**/verify?*', route => route.abort());
    await choose('bundle', GENUINE);
    await sees('#result.bad', 'Unknown: no response from the gateway.');
  });

  test('shows texts of nodes and names of files as text', async () => {
    const hostile = '<img src=/x onerror=alert(1)>';
    await open('/verify', publishing([{ ...FILE, name: hostile, arch: hostile }]));
    await choose('<b>bold<b>', GENUINE);
    await sees('#result', hostile);
    await sees('#result', '<b>bold');
    expect(await page.locator('img, b').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('sends no request to another server', async () => {
    await open('/verify', publishing([FILE]));
    await choose('bundle', GENUINE);
    await sees('#result.good', 'Published');
    const urls = requests.map(request => request.url()).filter(url => !url.startsWith('data:'));
    expect(urls.filter(url => !url.startsWith(`${fixture.gateway.url}/`))).toEqual([]);
  });
});

describe("the faucet's page", () => {
  test('gives coins to an address', async () => {
    await open('/faucet', json(200, { success: true, transaction_hash: 'ab'.repeat(32) }));
    await page.getByLabel('Address').fill(' ZBC_TEST ');
    await page.keyboard.press('Enter');
    await sees('output', `Transaction ${'ab'.repeat(32)}`);
    const full = fixture.nodes.find(({ role }) => role === 'full')!;
    expect(full.received).toMatchObject([
      { method: 'POST', path: '/faucet', body: '{"address":"ZBC_TEST"}' },
    ]);
    expect(complaints).toEqual([]);
  });

  test('shows a refusal as text', async () => {
    await open('/faucet', json(400, { success: false, error: '<b>no</b>', code: 400 }));
    await page.getByLabel('Address').fill('x');
    await page.getByRole('button', { name: 'Request coins' }).click();
    await sees('output', '<b>no</b>');
    expect(await page.locator('b').count()).toBe(0);
  });
});
