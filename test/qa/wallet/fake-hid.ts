import type { Emulator } from '@zbc-signer/emulator';
import type { BrowserContext, Page } from 'playwright-core';

// In each page of the context: a navigator.hid whose one device is the emulator in this process.
const PAGE_SIDE = `(() => {
  const hid = new EventTarget();
  const make = () => Object.assign(new EventTarget(), {
    opened: false, vendorId: 0x1209, productId: 0x0001, productName: 'ZBC Signer',
    collections: [{ usagePage: 0xffa0 }],
    async open() {
      if (this !== current || !(await fakeHidIsPlugged())) throw new DOMException('gone', 'NotFoundError');
      this.opened = true;
    },
    async close() { this.opened = false; },
    async sendReport(id, data) {
      if (!this.opened || this !== current) throw new DOMException('gone', 'NotAllowedError');
      if (!(await fakeHidWrite([id, ...data]))) throw new DOMException('gone', 'NetworkError');
    },
  });
  let current = make();
  const isAllowed = () => localStorage.getItem('fake hid allowed') === 'yes';
  hid.getDevices = async () => isAllowed() && (await fakeHidIsPlugged()) ? [current] : [];
  hid.requestDevice = async ({ filters }) => {
    if (!navigator.userActivation.isActive) throw new DOMException('no gesture', 'SecurityError');
    if (filters[0].vendorId !== 0x1209 || !(await fakeHidIsPlugged())) return [];
    localStorage.setItem('fake hid allowed', 'yes');
    return [current];
  };
  window.fakeHidReport = bytes => {
    if (!current.opened) return;
    const event = new Event('inputreport');
    event.data = new DataView(Uint8Array.from(bytes).buffer);
    current.dispatchEvent(event);
  };
  window.fakeHidPlug = type => {
    const event = new Event(type);
    event.device = current;
    if (type === 'disconnect') {
      current.opened = false;
      current = make();
    } else event.device = current;
    if (isAllowed()) hid.dispatchEvent(event);
  };
  Object.defineProperty(navigator, 'hid', { value: hid });
})()`;

/**
 * Gives a browser the emulator as a HID device. As with a real device, every page that has opened it reads
 * all reports, and closing a page does not end a review.
 */
export class FakeHid {
  #plugged = true;
  readonly #pages = new Set<Page>();

  private constructor(private readonly emulator: Emulator) {}

  static async install(context: BrowserContext, emulator: Emulator): Promise<FakeHid> {
    const hid = new FakeHid(emulator);
    context.on('page', page => {
      hid.#pages.add(page);
      page.on('close', () => hid.#pages.delete(page));
    });
    await context.exposeBinding('fakeHidIsPlugged', () => hid.#plugged);
    await context.exposeBinding('fakeHidWrite', (_source, bytes: number[]) => hid.#write(bytes));
    await context.addInitScript(PAGE_SIDE);
    return hid;
  }

  /** Unplugs the device. Replies that it sends during `meanwhile` are lost. */
  async unplug(meanwhile?: () => Promise<void>): Promise<void> {
    this.#plugged = false;
    await meanwhile?.();
    this.emulator.disconnectReports();
    await this.#call('fakeHidPlug', 'disconnect');
  }

  async plug(): Promise<void> {
    this.#plugged = true;
    await this.#call('fakeHidPlug', 'connect');
  }

  #write([, ...report]: number[]): boolean {
    if (!this.#plugged) return false;
    this.emulator.report(Uint8Array.from(report), reply => {
      if (this.#plugged) void this.#call('fakeHidReport', [...reply]);
    });
    return true;
  }

  async #call(name: string, argument: unknown): Promise<void> {
    const code = `globalThis.${name}?.(${JSON.stringify(argument)})`;
    // A page that reloads now misses the event, as with a real device.
    await Promise.all([...this.#pages].map(page => page.evaluate(code).catch(() => undefined)));
  }
}
