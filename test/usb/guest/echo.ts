import hid from 'node-hid';
import { usb } from 'usb';

const ROUNDS = 500;
/** GET_APP_VERSION on a channel, its reply takes one report. */
const REPORT = Buffer.concat([Buffer.from('123405000000' + '05e003000000', 'hex')], 64);

/** Rounds a second. */
export async function rate(rounds: number, round: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  for (let count = 0; count < rounds; count += 1) await round();
  return (1000 * rounds) / (performance.now() - start);
}

/** Round trips a second of the package alone, a report each way, the second half of many. */
export async function bareRate(name: 'hid' | 'usb', serialNumber: string): Promise<number> {
  const { round, close } = await (name === 'hid' ? openHid(serialNumber) : openUsb(serialNumber));
  await rate(ROUNDS, round);
  const result = await rate(ROUNDS, round);
  await close();
  return result;
}

interface Echo {
  round(): Promise<unknown>;
  close(): Promise<void>;
}

async function openHid(serialNumber: string): Promise<Echo> {
  const found = (await hid.devicesAsync(0x1209, 1)).find(device => device.serialNumber === serialNumber);
  const handle = await hid.HIDAsync.open(found!.path!);
  const report = Buffer.concat([Buffer.of(0), REPORT]);
  let received: () => void = () => undefined;
  handle.on('data', () => received());
  return {
    async round() {
      const reply = new Promise<void>(resolve => {
        received = resolve;
      });
      await handle.write(report);
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
    async round() {
      const reply = handle.transferIn(2, 64);
      await handle.transferOut(2, REPORT);
      await reply;
    },
    async close() {
      await handle.releaseInterface(1);
      await handle.close();
    },
  };
}
