import { fileURLToPath } from 'node:url';
import { TEST_PRODUCT_ID, TEST_VENDOR_ID } from '@zbc-signer/protocol/usb-ids';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { runInGuest } from '../../../testkit/guest/guest.js';
import { freePort } from '../../../testkit/network/free-port.js';
import { findChromium } from '../../../tools/chromium.js';

const MACHINE = fileURLToPath(new URL('machine.js', import.meta.url));
const DEVTOOLS_PORT = 9300;
const CABLE_PORT = 9301;
/** The directory of policies of Debian's Chromium. */
const POLICIES = '/etc/chromium/policies/managed';
const RETRY_MS = 200;
const CONNECT_MS = 300_000;

/** Chromium in the guest, with real WebHID and WebUSB, and control of its only device's cable. */
export class GuestBrowser {
  private constructor(
    private readonly cable: string,
    private readonly ended: Promise<string>,
    private readonly browser: Browser,
    private readonly usbipPort: number,
  ) {}

  /**
   * The page at `gateway`, a URL of this machine's loopback interface, may use the test id without a prompt,
   * and has the same URL in the guest.
   */
  static async start(gateway: string, usbipPort: number, limitMs: number): Promise<GuestBrowser> {
    const { origin, port } = new URL(gateway);
    const [devtools, cable] = [await freePort(), await freePort()];
    const ports = [port, DEVTOOLS_PORT, CABLE_PORT].join(' ');
    const ended = runInGuest(
      [
        'mkdir -p /dev/shm',
        ...['/dev/shm', '/tmp', '/etc/chromium', '/etc/udev/rules.d'].map(
          path => `mount -t tmpfs tmp ${path}`,
        ),
        `mkdir -p ${POLICIES}`,
        `echo '${policies(origin)}' > ${POLICIES}/signer.json`,
        '/lib/systemd/systemd-udevd --daemon',
        `exec ${process.execPath} ${MACHINE} ${findChromium()} ${ports}`,
      ].join(' && '),
      limitMs,
      {
        memoryMb: 2048,
        cores: 2,
        forwards: [
          [devtools, DEVTOOLS_PORT],
          [cable, CABLE_PORT],
        ],
      },
    );
    const url = `http://127.0.0.1:${devtools}`;
    await Promise.race([ended.then(output => Promise.reject(new Error(output))), untilAnswered(url)]);
    const browser = await chromium.connectOverCDP(url, { timeout: CONNECT_MS });
    return new GuestBrowser(`http://127.0.0.1:${cable}`, ended, browser, usbipPort);
  }

  /** The default profile, to which the policies apply. */
  get context(): BrowserContext {
    return this.browser.contexts()[0]!;
  }

  plug(): Promise<void> {
    return this.#move(`plug/${this.usbipPort}`);
  }

  unplug(): Promise<void> {
    return this.#move('unplug');
  }

  /** Rejects if something in the guest failed. */
  async close(): Promise<void> {
    await this.#move('end');
    await this.ended;
  }

  async #move(path: string): Promise<void> {
    const response = await fetch(`${this.cable}/${path}`);
    if (!response.ok) throw new Error(await response.text());
  }
}

function policies(origin: string): string {
  const devices = [{ vendor_id: TEST_VENDOR_ID, product_id: TEST_PRODUCT_ID }];
  const allowed = [{ devices, urls: [origin] }];
  return JSON.stringify({ WebHidAllowDevicesForUrls: allowed, WebUsbAllowDevicesForUrls: allowed });
}

/** QEMU accepts connections to a port without a listener in the guest, and resets them. */
async function untilAnswered(url: string): Promise<void> {
  for (;;) {
    try {
      await fetch(`${url}/json/version`);
      return;
    } catch {
      await new Promise(resolve => setTimeout(resolve, RETRY_MS));
    }
  }
}
