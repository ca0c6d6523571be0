/** The way from a page to a signer. */
interface HidLink {
  /** Whether the signer is plugged in. */
  isPlugged(): Promise<boolean>;
  /** Sends a report of 64 bytes to the signer. Returns false if the signer is not plugged in. */
  send(report: Uint8Array): Promise<boolean>;
}

/** The way from the signer to a page. */
export interface PageHid {
  /** Gives the page a report of the signer. */
  receive(report: ArrayLike<number>): void;
  plug(): void;
  unplug(): void;
}

/**
 * Replaces `navigator.hid` of this page, which a browser without WebHID lacks, by one whose only device is the
 * signer behind the link. As in Chromium, the user must choose the device once, with a click.
 *
 * The function refers to nothing outside itself, because Playwright runs its text in pages.
 */
export function installHid(link: HidLink): PageHid {
  const ALLOWED = 'zbc-signer emulated HID';
  const IDS: Record<string, number> = { vendorId: 0x1209, productId: 0x0001, usagePage: 0xffa0, usage: 1 };
  const LENGTH = 64;
  const { usagePage, usage, ...ids } = IDS;
  const report = { reportId: 0, items: [] };
  const collections = [
    {
      usagePage,
      usage,
      type: 1,
      children: [],
      inputReports: [report],
      outputReports: [report],
      featureReports: [],
    },
  ];
  const fault = (name: string) => new DOMException('the emulated signer is not plugged in, or closed', name);
  const fire = (target: EventTarget, type: string, values: object) => {
    const event = Object.assign(new Event(type), values);
    target.dispatchEvent(event);
    Reflect.get(target, `on${type}`)?.call(target, event);
  };
  const make = () => {
    const made = Object.assign(new EventTarget(), {
      ...ids,
      productName: 'ZBC Signer',
      collections,
      opened: false,
      oninputreport: null,
      async open() {
        if (made !== device || !(await link.isPlugged())) throw fault('NotFoundError');
        made.opened = true;
      },
      async close() {
        made.opened = false;
      },
      async forget() {
        made.opened = false;
        localStorage.removeItem(ALLOWED);
      },
      async sendReport(reportId: number, data: BufferSource) {
        const bytes = new Uint8Array(
          'buffer' in data ? data.buffer : data,
          'buffer' in data ? data.byteOffset : 0,
          data.byteLength,
        );
        if (!made.opened || made !== device || reportId !== 0 || bytes.length > LENGTH)
          throw fault('NotAllowedError');
        const padded = new Uint8Array(LENGTH);
        padded.set(bytes);
        if (!(await link.send(padded))) throw fault('NetworkError');
      },
    });
    return made;
  };
  let device = make();
  const isAllowed = () => localStorage.getItem(ALLOWED) !== null;
  const hid = Object.assign(new EventTarget(), {
    onconnect: null,
    ondisconnect: null,
    getDevices: async () => (isAllowed() && (await link.isPlugged()) ? [device] : []),
    async requestDevice({ filters }: { filters: Record<string, number>[] }) {
      if (!navigator.userActivation.isActive) throw new DOMException('no user gesture', 'SecurityError');
      const fits = (filter: Record<string, number>) =>
        Object.entries(filter).every(([name, value]) => value === IDS[name]);
      if ((filters.length > 0 && !filters.some(fits)) || !(await link.isPlugged())) return [];
      localStorage.setItem(ALLOWED, 'yes');
      return [device];
    },
  });
  Object.defineProperty(navigator, 'hid', { value: hid, configurable: true });
  return {
    receive(bytes) {
      const data = new DataView(Uint8Array.from(bytes).buffer);
      if (device.opened) fire(device, 'inputreport', { device, reportId: 0, data });
    },
    plug() {
      if (isAllowed()) fire(hid, 'connect', { device });
    },
    unplug() {
      const gone = device;
      gone.opened = false;
      device = make();
      if (isAllowed()) fire(hid, 'disconnect', { device: gone });
    },
  };
}
