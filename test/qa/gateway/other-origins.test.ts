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

let pages: Server;
let devnet: Devnet;
const browser = chromiumOfFile();
/** Two origins that serve the same pages; the gateway's configuration lists only the first. */
let listed: string;
let foreign: string;

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: DAPP, resolveDir: root },
    bundle: true,
    platform: 'browser',
    format: 'esm',
    write: false,
  });
  const script = outputFiles[0]!.text.replaceAll('</script', '<\\/script');
  pages = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><title>dapp</title><script type="module">${script}</script>`);
  });
  await new Promise<void>(resolve => pages.listen(0, '127.0.0.1', resolve));
  const { port } = pages.address() as AddressInfo;
  listed = `http://127.0.0.1:${port}`;
  foreign = `http://localhost:${port}`;
  devnet = await startDevnet({ corsOrigins: [listed] });
});
afterAll(async () => {
  await devnet?.stop();
  pages?.close();
});

async function titleOf(origin: string, gateway: string): Promise<string> {
  const page = await browser().newPage();
  await page.goto(`${origin}/?gateway=${encodeURIComponent(gateway)}`);
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
