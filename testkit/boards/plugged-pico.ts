import { Emulator, restoreSeed } from '@zbc-signer/emulator';
import type { SetupPacket, UsbipDevice } from '@zbc-signer/emulator/usb';
import { accounts } from '../repository/vectors.js';
import type { Key } from './driver.js';
import { flashWith, symbol } from './image.js';
import { SimulatedPico } from './pico.js';
import { STALL, UsbHost } from './usb-host.js';

const ADDRESS = 7;
const SLICE_MS = 0.5;
/**
 * The most that the simulator may lag behind real time. If it lags more, the time of the host is stopped
 * until the simulator has caught up.
 */
const MOST_LATE_MS = 20;
const PRESS_MS = 20;
const DRAWN_MS = 3000;
const DEVICE_TO_HOST = 0x80;
/** Names of the button numbers, from 1 on. */
const BUTTONS = ['left', 'right', 'both'] as const;

/** Starts the emulator with which a PluggedPico is compared. The vectors' words are entered into it. */
export async function startReferenceEmulator(): Promise<Emulator> {
  const emulator = await Emulator.start({ keystore: {}, device: null });
  restoreSeed(emulator, accounts.mnemonic);
  return emulator;
}

/**
 * A simulated Pico behind a USB/IP server, in real time if this machine is fast enough. An emulator gets the
 * same reports and presses as the Pico. Each report and frame of the Pico must equal that of the emulator;
 * differences are in `faults`. Unplugging the Pico cuts its power.
 */
export class PluggedPico implements UsbipDevice {
  readonly descriptors: UsbipDevice['descriptors'];
  readonly faults: string[] = [];
  #pico = new SimulatedPico(flashWith());
  #host = this.#boot();
  #wall = performance.now();
  /** Stops or resumes the time of the host into which the Pico is plugged. */
  setHostRunning: ((isRunning: boolean) => Promise<void>) | undefined;
  /** The moment at which the time of the host was stopped. */
  #heldSince: number | undefined;
  #isClosed = false;
  /** Reports that the emulator has sent and the Pico has not sent yet, by endpoint. */
  readonly #expected = new Map<number, string[]>([
    [1, []],
    [2, []],
  ]);
  /** Reports that the USB controller has accepted but the signer has not processed yet, by endpoint. */
  readonly #taken = new Map<number, Uint8Array[]>([
    [1, []],
    [2, []],
  ]);

  constructor(private readonly emulator: Emulator) {
    const read = (value: number) =>
      this.#control({ requestType: 0x80, request: 6, value, index: 0, length: 255 });
    this.descriptors = { device: read(0x100)!, configuration: read(0x200)! };
    this.#run();
  }

  control(setup: SetupPacket, data: Uint8Array): Uint8Array | undefined {
    // Kernels send no data in control transfers, because reports are sent to their endpoints.
    return data.length > 0 ? undefined : this.#control(setup);
  }

  out(endpoint: number, data: Uint8Array, accept: () => void): (() => boolean) | undefined {
    if (!this.#expected.has(endpoint)) return undefined;
    return this.#host.send(endpoint, data, () => {
      this.#taken.get(endpoint)!.push(data);
      accept();
    });
  }

  in(endpoint: number, deliver: (report: Uint8Array) => void): (() => boolean) | undefined {
    if (!this.#expected.has(endpoint)) return undefined;
    return this.#host.request(endpoint, packet => {
      const expected = this.#expected.get(endpoint)!.shift();
      if (packet === STALL) this.#fault(`endpoint ${endpoint} is halted`);
      else if (hex(packet) === expected) deliver(packet);
      else this.#fault(`endpoint ${endpoint} sent ${hex(packet)}, expected ${expected}`);
    });
  }

  /** Cuts the power of the Pico and restores it. */
  reset(): void {
    this.#noteFaults();
    this.#pico = this.#pico.restarted('lost');
    this.#host = this.#boot();
    this.#wall = this.#heldSince ?? performance.now();
    for (const queues of [this.#expected, this.#taken]) for (const queue of queues.values()) queue.length = 0;
    this.emulator.disconnectReports();
  }

  /** The frame on the display; undefined while it is dark. */
  get frame(): Uint8Array | undefined {
    return this.#pico.display.frame();
  }

  async press(key: Key): Promise<void> {
    await this.isShown();
    this.#pico.hold(key, true);
    await this.#passed(PRESS_MS);
    this.#pico.hold(key, false);
    await this.#passed(PRESS_MS);
    await this.isShown();
  }

  /** Waits until the Pico shows the emulator's frame. If it does not in time, records a fault. */
  async isShown(): Promise<void> {
    const end = this.#pico.milliseconds + DRAWN_MS;
    const isSame = () => {
      const frame = this.#pico.display.frame();
      return frame !== undefined && Buffer.compare(frame, this.emulator.frame()) === 0;
    };
    const pico = this.#pico;
    while (!isSame()) {
      if (pico === this.#pico && pico.milliseconds > end) {
        this.#fault(`the display does not show ${JSON.stringify(this.emulator.texts())}`);
        return;
      }
      await this.#passed(1);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#noteFaults();
  }

  #boot(): UsbHost {
    const pico = this.#pico;
    const host = new UsbHost(pico);
    pico.boot();
    pico.onEntry('Z_signerZ_report', () => this.#giveReport(1 + pico.memory(symbol('replying'), 1)[0]!));
    for (const button of ['Z_signerZ_button', 'Z_keystoreZ_button'])
      pico.onEntry(button, () => this.emulator.press(BUTTONS[pico.chip.core.registers[1]! - 1]!));
    pico.onEntry('Z_signerZ_cancel', () => this.emulator.disconnectReports());
    // A USB/IP server must assign the address, because the host does not.
    host.reset();
    host.control({ type: 0, request: 5, value: ADDRESS });
    pico.openKeystore();
    return host;
  }

  #giveReport(endpoint: number): void {
    const report = this.#taken.get(endpoint)!.shift();
    if (!report) this.#fault(`the signer received a report that endpoint ${endpoint} has not accepted`);
    else this.emulator.report(report, reply => this.#expected.get(endpoint)!.push(hex(reply)));
  }

  #control({ requestType, request, value, index, length }: SetupPacket): Uint8Array | undefined {
    const asked = requestType & DEVICE_TO_HOST ? length : 0;
    const answer = this.#host.control({ type: requestType, request, value, index, length: asked });
    return answer === STALL ? undefined : answer;
  }

  #run(): void {
    if (this.#isClosed) return;
    const late = (this.#heldSince ?? performance.now()) - this.#wall;
    if (late > MOST_LATE_MS) this.#holdHost(late);
    if (late > 0) {
      this.#pico.run(SLICE_MS);
      this.#wall += SLICE_MS;
    } else this.#releaseHost();
    if (this.#pico.resets > 0) this.#fault(`the chip was reset, ${this.#pico.where}`);
    else if (late > SLICE_MS) setImmediate(() => this.#run());
    else setTimeout(() => this.#run(), 1);
  }

  /**
   * Stops the time of the host. It is needed because the simulator takes a second for a signature, for which
   * the chip takes a seventh of that.
   */
  #holdHost(late: number): void {
    if (!this.setHostRunning) this.#wall += late - MOST_LATE_MS;
    else if (this.#heldSince === undefined) {
      this.#heldSince = performance.now();
      void this.setHostRunning(false);
    }
  }

  #releaseHost(): void {
    if (this.#heldSince === undefined) return;
    this.#wall += performance.now() - this.#heldSince;
    this.#heldSince = undefined;
    void this.setHostRunning?.(true);
  }

  /** Waits until this time has passed on the clock of the Pico. */
  async #passed(milliseconds: number): Promise<void> {
    const pico = this.#pico;
    const end = pico.milliseconds + milliseconds;
    while (pico === this.#pico && pico.milliseconds < end)
      await new Promise(resolve => setTimeout(resolve, 1));
  }

  #noteFaults(): void {
    for (const text of [...this.#host.faults, ...this.#pico.faults]) this.#fault(text);
  }

  #fault(text: string): void {
    this.faults.push(text);
  }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
