import { formatJson, fromHex, toHex } from '@zbc-signer/chain';
import { type Devnet, startDevnet } from '@zbc-signer/devnet';
import { Emulator } from '@zbc-signer/emulator';
import { build, type Plugin } from 'esbuild';
import type { Browser, Route } from 'playwright-core';
import { Project } from '../../testkit/packages/project.js';
import { samplesOf } from '../../testkit/packages/samples.js';
import { launchChromium } from '../../tools/chromium.js';

/**
 * The name is never resolved, because every request is answered here. The scheme is https, because tabs share
 * a device only on secure pages.
 */
const ORIGIN = 'https://wallet.test';
const USES_SETUP = "import { setUp } from './setup.js';";

/** The page's part of docs/WALLET.md's setup.js; the device, the user and the chain are in this process. */
const SETUP = `
import { awaitHeight, GatewayClient, Signer } from '@zbc-signer/host';
async function post(path, body) {
  const response = await fetch(path, { method: 'POST', body });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}
const toHex = bytes => Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
const fromHex = hex => Uint8Array.from(hex.match(/../g), digits => parseInt(digits, 16));
async function setUp() {
  await post('/start');
  const transport = { exchange: async apdu => fromHex(await post('/exchange', toHex(apdu))), close: async () => {} };
  const signer = new Signer(transport);
  const gateway = new GatewayClient(location.origin);
  const { address } = await signer.getPublicKey(0);
  const { address: friend } = await signer.getPublicKey(1);
  await awaitHeight(gateway, (await gateway.faucet(address)).blockHeight);
  return {
    transport,
    signer,
    gateway,
    address,
    friend,
    approve: () => post('/approve'),
    reject: () => post('/reject'),
    stop: () => post('/stop'),
  };
}
export { setUp };`;

/** The actions of a page with two tabs in the recipe for tabs. */
const TABS = `
import { SharedSigner } from '@zbc-signer/web';
import { setUp } from './setup.js';
import { pay } from './recipe.js';
const { transport, address, approve } = await setUp();
const device = { kind: 'emulator', lockName: 'the device', open: () => transport };
const [tab, other] = [new SharedSigner(device), new SharedSigner(device)];
const paying = pay(tab, location.origin, address);
const held = await other.run(signer => signer.getVersion()).catch(({ code }) => code);
if (held !== 'DEVICE_HELD') throw new Error('two tabs use the device');
const [{ status }] = await Promise.all([paying, approve()]);
if (status !== 'confirmed') throw new Error('it is ' + status);`;

/** Resolves the modules that a program imports. */
function modulesBeside(modules: Record<string, string>): Plugin {
  return {
    name: 'beside',
    setup({ onResolve, onLoad }) {
      const resolveDir = project.directory;
      onResolve({ filter: /^\.\/(?:setup|recipe)\.js$/ }, ({ path }) => ({ path, namespace: 'beside' }));
      onLoad({ filter: /.*/, namespace: 'beside' }, ({ path }) => ({
        contents: modules[path]!,
        loader: 'ts',
        resolveDir,
      }));
    },
  };
}

const NEEDS_NODE = /@zbc-signer\/host\/node|chaos/;

const recipes = samplesOf('docs/WALLET.md')
  .filter(({ language }) => language === 'js')
  .filter(({ source }) => source.includes(USES_SETUP) && !NEEDS_NODE.test(source))
  .map(({ source, at }) => ({ name: /^\/\/ (\S+)\n/.exec(source)?.[1] ?? at, source }));

let project: Project;
let browser: Browser;
let emulator: Emulator;
let devnet: Devnet;

beforeAll(async () => {
  project = new Project();
  project.install(['protocol', 'chain', 'host', 'web']);
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  project.remove();
});
beforeEach(async () => {
  emulator = await Emulator.start();
  devnet = await startDevnet({ blockTimeMs: 200, namedChain: true });
});
afterEach(async () => {
  emulator.stop();
  await devnet.stop();
});

async function bundle(source: string, recipe = ''): Promise<string> {
  const { outputFiles, warnings } = await build({
    stdin: { contents: `${source}\nglobalThis.document.title = 'done';`, resolveDir: project.directory },
    bundle: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    write: false,
    plugins: [modulesBeside({ './setup.js': SETUP, './recipe.js': recipe })],
  });
  expect(warnings).toEqual([]);
  return outputFiles[0]!.text;
}

/** The page's requests to the device and its user; undefined for a request to the chain. */
async function act(path: string, body: string): Promise<unknown> {
  switch (path) {
    case '/exchange':
      return toHex(await emulator.exchange(fromHex(body)));
    case '/approve': {
      const shown = await emulator.review();
      await emulator.approve();
      return shown;
    }
    case '/reject':
      await emulator.reject();
      return true;
    case '/start':
    case '/stop':
      return true;
    default:
      return undefined;
  }
}

async function answer(route: Route, script: string): Promise<void> {
  const request = route.request();
  const { pathname, search } = new URL(request.url());
  const body = request.postData() ?? '';
  if (pathname === '/') {
    const html = '<!doctype html><title>recipe</title><script type="module" src="/recipe.js"></script>';
    return route.fulfill({ contentType: 'text/html', body: html });
  }
  if (pathname === '/recipe.js') return route.fulfill({ contentType: 'text/javascript', body: script });
  if (pathname === '/favicon.ico') return route.fulfill({ status: 204 });
  const result = await act(pathname, body);
  if (result !== undefined) return route.fulfill({ json: JSON.parse(formatJson(result)) });
  const isPost = request.method() === 'POST';
  const reply = await fetch(devnet.url + pathname + search, {
    method: request.method(),
    ...(isPost && { body, headers: { 'content-type': 'application/json' } }),
  });
  return route.fulfill({
    status: reply.status,
    contentType: 'application/json',
    body: await reply.text(),
  });
}

test('docs/WALLET.md has a recipe for each task', () => {
  expect(recipes.map(({ name }) => name)).toEqual([
    'connect.js',
    'addresses.js',
    'send.js',
    'contacts.js',
    'token.js',
    'escrow.js',
    'history.js',
    'shop.js',
    'message.js',
    'offline.js',
    'errors.js',
  ]);
});

/** Opens a page with the program, which must finish. */
async function runInPage(script: string): Promise<void> {
  const page = await browser.newPage();
  const failed = new Promise<never>((_resolve, reject) => page.once('pageerror', reject));
  failed.catch(() => undefined);
  await page.route(`${ORIGIN}/**`, route => answer(route, script));
  await page.goto(ORIGIN);
  await Promise.race([failed, page.waitForFunction("document.title === 'done'", null, { timeout: 240_000 })]);
  expect(await page.title()).toBe('done');
  await page.close();
}

test.each(recipes)('$name runs in Chromium, bundled from the packed packages', async ({ source }) => {
  await runInPage(await bundle(source));
});

test('the recipe for tabs pays from the tab that has the device', async () => {
  const [recipe] = samplesOf('docs/WALLET.md').filter(({ language }) => language === 'ts');
  expect(recipe!.source).toContain('export async function pay(shared: SharedSigner');
  await runInPage(await bundle(TABS, recipe!.source));
});
