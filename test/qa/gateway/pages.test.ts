import type { Page } from 'playwright-core';
import { GatewayFixture, startNodes } from '../../../testkit/gateway/gateway-fixture.js';
import { type Answer, json } from '../../../testkit/gateway/recording-node.js';
import { faultsOf } from '../../../testkit/screen/layout.js';
import { chromiumOfFile } from '../chromium-of-file.js';

const browser = chromiumOfFile();
let fixture: GatewayFixture;
let page: Page;
let complaints: string[];

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
  page.on('console', message => complaints.push(message.text()));
  page.on('pageerror', error => complaints.push(error.message));
  await page.goto(fixture.gateway.url + path);
}

const sees = (selector: string, text: string) =>
  page.locator(selector).filter({ hasText: text }).first().waitFor();

describe("the faucet's page", () => {
  test('gives coins to an address', async () => {
    await open('/faucet', json(200, { success: true, transaction_hash: 'ab'.repeat(32) }));
    await page.getByLabel('Address').fill(' ZBC_TEST ');
    expect(await faultsOf(page)).toEqual([]);
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
