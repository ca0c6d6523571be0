import hid from 'node-hid';
import { usb } from 'usb';

const ROUNDS = 500;
const CAPACITY = 59;
/** GET_APP_VERSION on a channel; its reply takes one report. */
const REPORT = Buffer.concat([Buffer.from('123405000000' + '05e003000000', 'hex')], 64);

/** Rounds per second. */
export async function rate(rounds: number, round: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  for (let count = 0; count < rounds; count += 1) await round();
  return (1000 * rounds) / (performance.now() - start);
}

/**
 * Round trips per second of the bare package, one report each way; the first half of the rounds is a warm-up.
 */
export async function bareRate(name: 'hid' | 'usb', serialNumber: string): Promise<number> {
  const { exchange, close } = await open(name, serialNumber);
  await rate(ROUNDS, () => exchange([REPORT]));
  const result = await rate(ROUNDS, () => exchange([REPORT]));
  await close();
  return result;
}

/** `upload` with the bare package: commands are framed in advance, and each reply is one report. */
export async function bareUploads(
  name: 'hid' | 'usb',
  serialNumber: string,
  upload: (exchange: (apdu: Buffer) => Promise<unknown>) => Promise<number>,
  count: number,
): Promise<number[]> {
  const { exchange, close } = await open(name, serialNumber);
  const framed = new Map<Buffer, Buffer[]>();
  const ratios: number[] = [];
  for (let at = 0; at < count; at += 1) {
    ratios.push(
      await upload(apdu => {
        if (!framed.has(apdu)) framed.set(apdu, frame(apdu));
        return exchange(framed.get(apdu)!);
      }),
    );
  }
  await close();
  return ratios;
}

/** The reports of a command (docs/APDU.md#hid). */
function frame(apdu: Buffer): Buffer[] {
  const payload = Buffer.concat([Buffer.of(apdu.length >> 8, apdu.length & 0xff), apdu]);
  return Array.from({ length: Math.ceil(payload.length / CAPACITY) }, (_, sequence) => {
    const part = payload.subarray(sequence * CAPACITY, (sequence + 1) * CAPACITY);
    return Buffer.concat([Buffer.of(0x12, 0x34, 5, 0, sequence), part], 64);
  });
}

interface Echo {
  /** Writes one report after another, and waits for a report. */
  exchange(reports: readonly Buffer[]): Promise<unknown>;
  close(): Promise<void>;
}

function open(name: 'hid' | 'usb', serialNumber: string): Promise<Echo> {
  return name === 'hid' ? openHid(serialNumber) : openUsb(serialNumber);
}

async function openHid(serialNumber: string): Promise<Echo> {
  const found = (await hid.devicesAsync(0x1209, 1)).find(device => device.serialNumber === serialNumber);
  const handle = await hid.HIDAsync.open(found!.path!);
  let received: () => void = () => undefined;
  handle.on('data', () => received());
  return {
    async exchange(reports) {
      const reply = new Promise<void>(resolve => {
        received = resolve;
      });
      for (const report of reports) await handle.write(Buffer.concat([Buffer.of(0), report]));
      await reply;
    },
    close: () => handle.close(),
  };
}

async function openUsb(serialNumber: string): Promise<Echo> {
  const handle = (await usb.findDeviceBySerial(serialNumber))! as unknown as {
    open(): Promise<void>;
    claimInterface(number: number): Promise<void>;
    releaseInterface(number: number): Promise<void>;
    close(): Promise<void>;
    transferOut(endpoint: number, data: Uint8Array): Promise<unknown>;
    transferIn(endpoint: number, length: number): Promise<unknown>;
  };
  await handle.open();
  await handle.claimInterface(1);
  return {
    async exchange(reports) {
      const reply = handle.transferIn(2, 64);
      for (const report of reports) await handle.transferOut(2, report);
      await reply;
    },
    async close() {
      await handle.releaseInterface(1);
      await handle.close();
    },
  };
}
