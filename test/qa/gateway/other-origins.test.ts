import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Devnet, startDevnet } from '@zbc-signer/devnet';
import { build } from 'esbuild';
import { root } from '../../../testkit/repository/repository.js';
import { chromiumOfFile } from '../chromium-of-file.js';

/** A page whose title is the result of its first read of the gateway in its query. */
const DAPP = `
import { GatewayClient } from '@zbc-signer/host';
const gateway = new GatewayClient(new URLSearchParams(location.search).get('gateway'));
gateway.nodeInfo().then(() => 'read', error => error.code + ' ' + error.facts.origin)
  .then(title => { document.title = title; });`;

/** A service worker that answers with the result of its read of a gateway, and whether it can reach a device. */
const WORKER = `
import { GatewayClient } from '@zbc-signer/host';
addEventListener('message', event => {
  const answer = text => event.source.postMessage(text);
  new GatewayClient(event.data).nodeInfo().then(
    () => answer('read, ' + ['hid', 'usb'].filter(name => name in navigator).length + ' ways to a device'),
    error => answer(error.code),
  );
});`;
const WORKER_PAGE = `<!doctype html><title>dapp</title><script>
navigator.serviceWorker.addEventListener('message', ({ data }) => { document.title = data; });
navigator.serviceWorker.register('/worker.js');
navigator.serviceWorker.ready.then(({ active }) =>
  active.postMessage(new URLSearchParams(location.search).get('gateway')));
</script>`;
/** Origins of apps with a scheme of their own, as Electron and Tauri have. */
const APPS = ['app://wallet', 'tauri://localhost'];

let pages: Server;
let devnet: Devnet;
const browser = chromiumOfFile();
/** Two origins that serve the same pages; the gateway's configuration lists only the first. */
let listed: string;
let foreign: string;

/** Bundles a program for a page or a worker. */
async function bundle(contents: string): Promise<string> {
  const stdin = { contents, resolveDir: root };
  const { outputFiles } = await build({
    stdin,
    bundle: true,
    platform: 'browser',
    format: 'esm',
    write: false,
  });
  return outputFiles[0]!.text;
}

beforeAll(async () => {
  const script = (await bundle(DAPP)).replaceAll('</script', '<\\/script');
  const worker = await bundle(WORKER);
  pages = createServer(({ url = '' }, response) => {
    if (url === '/worker.js') {
      response.setHeader('content-type', 'text/javascript');
      response.end(worker);
      return;
    }
    response.setHeader('content-type', 'text/html');
    if (url.startsWith('/worker')) response.end(WORKER_PAGE);
    else response.end(`<!doctype html><title>dapp</title><script type="module">${script}</script>`);
  });
  await new Promise<void>(resolve => pages.listen(0, '127.0.0.1', resolve));
  const { port } = pages.address() as AddressInfo;
  listed = `http://127.0.0.1:${port}`;
  foreign = `http://localhost:${port}`;
  devnet = await startDevnet({ corsOrigins: [listed, ...APPS] });
});
afterAll(async () => {
  await devnet?.stop();
  pages?.close();
});

async function titleOf(origin: string, gateway: string, path = '/'): Promise<string> {
  const page = await browser().newPage();
  await page.goto(`${origin}${path}?gateway=${encodeURIComponent(gateway)}`);
  await page.waitForFunction("document.title !== 'dapp'");
  const title = await page.title();
  await page.close();
  return title;
}

test('a page of a listed origin can read from the gateway', async () => {
  expect(await titleOf(listed, devnet.url)).toBe('read');
});

test('a page of another origin learns that its origin is refused', async () => {
  expect(await titleOf(foreign, devnet.url)).toBe(`GATEWAY_ORIGIN_REFUSED ${foreign}`);
});

test('a page can distinguish a refused origin from a gateway that is down', async () => {
  const gone = createServer();
  await new Promise<void>(resolve => gone.listen(0, '127.0.0.1', resolve));
  const { port } = gone.address() as AddressInfo;
  await new Promise(resolve => gone.close(resolve));
  expect(await titleOf(foreign, `http://127.0.0.1:${port}`)).toBe('GATEWAY_UNREACHABLE undefined');
});

test('a service worker of a listed origin can read from the gateway, and reaches no device', async () => {
  expect(await titleOf(listed, devnet.url, '/worker')).toBe('read, 0 ways to a device');
});

test.each(APPS)('a page of the app %s can read from the gateway, and none of another app', async origin => {
  const allowed = async (asking: string) => {
    const { headers } = await fetch(`${devnet.url}/api/v1/node/info`, { headers: { origin: asking } });
    return headers.get('access-control-allow-origin');
  };
  expect(await allowed(origin)).toBe(origin);
  expect(await allowed(`${origin}.evil`)).not.toBe(`${origin}.evil`);
});
