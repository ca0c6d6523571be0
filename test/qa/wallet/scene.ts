import { type Devnet, type DevnetOptions, startDevnet } from '@zbc-signer/devnet';
import type { EmulatorServer, EmulatorServerOptions } from '@zbc-signer/emulator';
import { HidCable } from '@zbc-signer/emulator/playwright';
import { GatewayClient } from '@zbc-signer/host';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { startServer } from '../../../testkit/device/device-host.js';
import { accounts } from '../../../testkit/repository/vectors.js';
import { connectEmulator } from '../../../testkit/screen/wallet-page.js';
import { launchChromium } from '../../../tools/chromium.js';

/** Time limit of one wait in a page, on a busy machine. */
const PATIENCE_MS = 120_000;

/** A failed request is logged to the console by the browser; anything else there is a fault of the page. */
const FAILED_REQUEST = /^Failed to load resource/;

/** Another origin, whose page sends requests to the connect page. */
const ASKING = 'https://shop.test/';
/** The account that another page was given. */
const ALLOWED = accounts.cases[0]!.address;

interface SceneOptions {
  devnet?: DevnetOptions;
  context?: BrowserContextOptions;
  device?: EmulatorServerOptions;
}

/**
 * Script that opens the connect page and, once that listens, sends it requests without the package's help.
 */
export const askByHand = (gateway: string, requests: string) => `(() => {
  window.answers = [];
  const opened = open('${gateway}/connect/', '_blank', 'popup');
  window.opened = opened;
  addEventListener('message', ({ source, data }) => {
    if (source !== opened || !String(data).startsWith('zbc-signer')) return;
    for (const request of ${requests}) {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => answers.push(data);
      opened.postMessage(request, '*', [port2]);
    }
  });
})()`;

/** A network, a device, and tabs of one browser profile on the wallet page. */
export class WalletScene {
  /** Errors of the page's scripts, and the requests that its policy blocked. */
  readonly complaints: string[] = [];
  /** The URLs that its tabs asked for. */
  readonly requested: string[] = [];
  #ownBrowser: Browser | undefined;

  private constructor(
    readonly devnet: Devnet,
    readonly server: EmulatorServer,
    readonly context: BrowserContext,
    readonly hid: HidCable,
  ) {
    context.on('console', message => {
      if (!FAILED_REQUEST.test(message.text())) this.complaints.push(message.text());
    });
    context.on('weberror', error => this.complaints.push(error.error().message));
    context.on('request', request => this.requested.push(request.url()));
  }

  /** A scene in a browser of its own, which closes with it. */
  static async launch(options: SceneOptions = {}): Promise<WalletScene> {
    const browser = await launchChromium();
    const scene = await WalletScene.open(browser, options);
    scene.#ownBrowser = browser;
    return scene;
  }

  static async open(browser: Browser, options: SceneOptions = {}): Promise<WalletScene> {
    const [devnet, server, context] = await Promise.all([
      startDevnet({ blockTimeMs: 400, namedChain: true, ...options.devnet }),
      startServer(options.device),
      browser.newContext({ viewport: { width: 1100, height: 900 }, ...options.context }),
    ]);
    context.setDefaultTimeout(PATIENCE_MS);
    return new WalletScene(devnet, server, context, await HidCable.connect(context, server.emulator));
  }

  get url(): string {
    return `${this.devnet.url}/wallet/`;
  }

  async openTab(): Promise<Page> {
    const page = await this.context.newPage();
    await page.goto(this.url);
    return page;
  }

  /** A tab that is connected to the emulator by its URL. */
  async openConnected(): Promise<Page> {
    const page = await this.openTab();
    await connectEmulator(page, this.server.api);
    await page.locator('#wallet').waitFor();
    return page;
  }

  /** A tab that is connected over HID. */
  async openOverHid(): Promise<Page> {
    const page = await this.openTab();
    await page.getByRole('button', { name: 'Connect over USB' }).click();
    await page.locator('#wallet').waitFor();
    return page;
  }

  /** The connect page's window, with a request of a page of another origin. */
  async openAsked(request: object = { method: 'account' }): Promise<Page> {
    const page = await this.context.newPage();
    await page.route(ASKING, route => route.fulfill({ contentType: 'text/html', body: '' }));
    await page.goto(ASKING);
    const ask = askByHand(this.devnet.url, JSON.stringify([request]));
    const [window] = await Promise.all([page.waitForEvent('popup'), page.evaluate(ask)]);
    await window.locator('#asking').waitFor();
    return window;
  }

  /** The connect page without an opener, which lists a page that the user has allowed. */
  async openAllowed(): Promise<Page> {
    const page = await this.context.newPage();
    await page.goto(`${this.devnet.url}/connect/`);
    await page.evaluate(`localStorage.setItem('zbc-wallet pages', '{ "https://other.test": "${ALLOWED}" }')`);
    await page.reload();
    await page.locator('#allowed-list li').waitFor();
    return page;
  }

  /** The balance of an account, as a full node reports it. */
  async balanceOf(address: string): Promise<bigint> {
    return (await new GatewayClient(this.devnet.nodeUrl).account(address))?.balance ?? 0n;
  }

  async close(): Promise<void> {
    await this.context.close();
    await this.#ownBrowser?.close();
    await this.server.close();
    await this.devnet.stop();
  }
}
