import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { awaitHeight, GatewayClient } from '@zbc-signer/host';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { readText, root } from '../../../testkit/repository/repository.js';
import { accounts } from '../../../testkit/repository/vectors.js';
import { launchChromium } from '../../../tools/chromium.js';
import { WalletScene } from '../wallet/scene.js';

/** The files of the example; they are inside the repository, so that they find the packages. */
const DIRECTORY = join(root, 'dist/react-example');
const FILES = [...readText('docs/REACT.md').matchAll(/```tsx\n\/\/ (\w+\.tsx)\n([\s\S]*?)```/g)];
const STRICT = [
  '--ignoreConfig',
  '--noEmit',
  '--strict',
  '--noUncheckedIndexedAccess',
  '--exactOptionalPropertyTypes',
];
const FORM = ['--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom', '--jsx', 'react-jsx'];
/** The table of the review. */
const ROWS = `[...document.querySelectorAll('tr')].map(row => [...row.children].map(cell => cell.textContent))`;
/** Messages that React writes to every console. */
const ADVERTISEMENT = /React DevTools/;
const [OWN, SHOP] = accounts.cases.map(({ address }) => address) as [string, string];

let browser: Browser;
let scene: WalletScene;
let server: Server;
let page: Page;
let markup: string;

/** Bundles one of the files. For a server, the packages are not bundled, because Node finds them. */
async function bundle(name: string, platform: 'browser' | 'node'): Promise<string> {
  const outfile = join(DIRECTORY, `${name}.mjs`);
  const packages = platform === 'node' ? 'external' : 'bundle';
  const entryPoints = [join(DIRECTORY, `${name}.tsx`)];
  await build({ entryPoints, outfile, bundle: true, format: 'esm', platform, packages, jsx: 'automatic' });
  return outfile;
}

beforeAll(async () => {
  let client = '';
  server = createServer(({ url }, response) => {
    const isScript = url === '/client.js';
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
    const end = '<script type="module" src="/client.js"></script>';
    response.end(
      isScript ? client : `<!doctype html><meta charset="utf-8"><div id="root">${markup}</div>${end}`,
    );
  });
  await new Promise<void>(resolve => server.listen(0, resolve));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  browser = await launchChromium();
  scene = await WalletScene.open(browser, { devnet: { corsOrigins: [origin] } });
  const gateway = new GatewayClient(scene.devnet.url);
  await awaitHeight(gateway, (await gateway.faucet(OWN)).blockHeight);

  rmSync(DIRECTORY, { recursive: true, force: true });
  mkdirSync(DIRECTORY, { recursive: true });
  for (const [, name = '', text = ''] of FILES) {
    writeFileSync(join(DIRECTORY, name), text.replace('http://127.0.0.1:8883', scene.devnet.url));
  }
  client = readFileSync(await bundle('client', 'browser'), 'utf8');
  ({ markup } = (await import(await bundle('server', 'node'))) as { markup: string });
  page = await scene.context.newPage();
  await page.goto(origin);
});

afterAll(async () => {
  server?.closeAllConnections();
  server?.close();
  await scene?.close();
  await browser?.close();
});

test('the example of docs/REACT.md compiles as strict TypeScript', () => {
  const files = FILES.map(([, name = '']) => join(DIRECTORY, name));
  expect(files).toHaveLength(3);
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', ...STRICT, ...FORM, ...files], {
    cwd: root,
  });
});

test('the example of docs/REACT.md is rendered on a server, and pays what the device showed', async () => {
  expect(markup).toContain('<button>Connect</button>');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByText(/^Signer \d+\.\d+\.\d+: ready/).waitFor();
  const pay = page.getByRole('button', { name: 'Pay 1.5 ZBC' });
  const { emulator } = scene.server;

  await pay.click();
  await emulator.waitForReview();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Nothing was paid: AbortedError').waitFor();

  await pay.click();
  const shown = await emulator.review();
  const rows = await page.evaluate(ROWS);
  expect(rows).toEqual(shown);
  expect(new Map(shown).get('Recipient')).toBe(SHOP);
  await emulator.approve();
  await page.getByText(/^Paid in block \d+$/).waitFor();
  await page.getByText('Check 0 unsettled payments').waitFor();
  await page.getByText(`Account ${OWN}`).waitFor();
  await page.getByText(`To ${SHOP}`).waitFor();
  expect((await new GatewayClient(scene.devnet.url).account(SHOP))?.balance).toBe(150_000_000n);
  expect(scene.complaints.filter(text => !ADVERTISEMENT.test(text))).toEqual([]);
});
