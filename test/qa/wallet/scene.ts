import { type Devnet, type DevnetOptions, startDevnet } from '@zbc-signer/devnet';
import type { EmulatorServer, EmulatorServerOptions } from '@zbc-signer/emulator';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { startServer } from '../../../testkit/device/device-host.js';
import { FakeHid } from './fake-hid.js';

/** Time limit of one wait in a page, on a busy machine. */
const PATIENCE_MS = 120_000;

/** A failed request is logged to the console by the browser; anything else there is a fault of the page. */
const FAILED_REQUEST = /^Failed to load resource/;

/** A network, a device, and tabs of one browser profile on the wallet page. */
export class WalletScene {
  /** Errors of the page's scripts, and what its policy blocked. */
  readonly complaints: string[] = [];
  /** The URLs that its tabs asked for. */
  readonly requested: string[] = [];

  private constructor(
    readonly devnet: Devnet,
    readonly server: EmulatorServer,
    readonly context: BrowserContext,
    readonly hid: FakeHid,
  ) {
    context.on('console', message => {
      if (!FAILED_REQUEST.test(message.text())) this.complaints.push(message.text());
    });
    context.on('weberror', error => this.complaints.push(error.error().message));
    context.on('request', request => this.requested.push(request.url()));
  }

  static async open(
    browser: Browser,
    options: { devnet?: DevnetOptions; context?: BrowserContextOptions; device?: EmulatorServerOptions } = {},
  ): Promise<WalletScene> {
    const [devnet, server, context] = await Promise.all([
      startDevnet({ blockTimeMs: 400, namedChain: true, ...options.devnet }),
      startServer(options.device),
      browser.newContext({ viewport: { width: 1100, height: 900 }, ...options.context }),
    ]);
    context.setDefaultTimeout(PATIENCE_MS);
    return new WalletScene(devnet, server, context, await FakeHid.install(context, server.emulator));
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
    await page.getByLabel('URL').fill(this.server.api);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
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

  async close(): Promise<void> {
    await this.context.close();
    await this.server.close();
    await this.devnet.stop();
  }
}
