import { PowerCut } from './boot-rom.js';
import type { Costs, Driver, DriverOptions, Key, Storage } from './driver.js';
import { flashWith, storageIn, symbol } from './image.js';
import { wordOf } from './opened-keystore.js';
import { SimulatedPico } from './pico.js';
import { STALL, UsbHost } from './usb-host.js';

export const HID = 1;
export const VENDOR = 2;
const PRESS_MS = 14;
const CUT_PRESS_MS = 60;
const CALL_MS = 3000;
/** Time limit for the longest computation of a board, the derivation of a seed from its words. */
const IDLE_MS = 5000;

/** A Pico on USB. Link 0 is HID, link 1 is the vendor interface. Times are those of the simulator. */
export class PicoDriver implements Driver {
  readonly links = 2;
  readonly seesDisplay = true;
  readonly answersTraps = true;
  readonly cuts = 4;

  /** The passphrase of the seed that is opened after a start. */
  #passphrase: string | null = null;

  private constructor(
    readonly pico: SimulatedPico,
    readonly host: UsbHost,
    private readonly watched?: number,
  ) {}

  static async open(options: DriverOptions): Promise<PicoDriver> {
    const { storage, hasDisplay = true, watched, passphrase = '' } = options;
    const driver = PicoDriver.on(new SimulatedPico(flashWith(storage), { hasDisplay }), watched);
    driver.#passphrase = passphrase;
    return driver.#opened();
  }

  /**
   * Boots within `milliseconds` and enumerates the board on USB. A board with a loader needs a longer limit.
   */
  static on(pico: SimulatedPico, watched?: number, milliseconds?: number): PicoDriver {
    const host = new UsbHost(pico);
    pico.boot(milliseconds);
    return new PicoDriver(pico, host.enumerate(), watched);
  }

  get hasDisplay(): boolean {
    return this.pico.hasDisplay;
  }

  set hasDisplay(isThere: boolean) {
    this.pico.hasDisplay = isThere;
  }

  faults(): string[] {
    return [...this.host.faults, ...this.pico.faults];
  }

  async write(link: number, report: Uint8Array, waits = true): Promise<void> {
    this.host.write(link + HID, report, waits);
  }

  async writeGarbage(link: number, bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; at += 64)
      this.host.write(link + HID, bytes.subarray(at, at + 64), false);
    this.pico.run(2);
  }

  async read(link: number, milliseconds?: number): Promise<Uint8Array | undefined> {
    const report = this.host.read(link + HID, milliseconds);
    return report === STALL ? undefined : report;
  }

  async reconnect(): Promise<void> {
    this.host.enumerate();
  }

  async run(milliseconds: number, until?: () => boolean | Promise<boolean>): Promise<boolean> {
    if (!until) return this.pico.run(milliseconds);
    const end = this.pico.milliseconds + milliseconds;
    while (!(await until())) {
      if (this.pico.milliseconds >= end || this.pico.hasEnded) return until();
      this.pico.run(1);
    }
    return true;
  }

  async settle(): Promise<void> {
    if (!this.pico.run(IDLE_MS, () => this.pico.isIdle))
      throw new Error(`the board does not become idle, ${this.pico.where}`);
  }

  async hold(key: Key, isDown: boolean): Promise<void> {
    this.pico.hold(key, isDown);
  }

  async press(key: Key): Promise<void> {
    this.pico.press(key, PRESS_MS);
  }

  exactly(act: () => Promise<void>): Promise<void> {
    return act();
  }

  async frame(): Promise<Uint8Array | undefined> {
    return this.pico.display.frame();
  }

  loseDisplayPower(): void {
    this.pico.display.losePower();
  }

  async storage(): Promise<Storage> {
    return storageIn(this.pico.flash);
  }

  async powerCutWhile(act: () => Promise<void>, at: number): Promise<Storage> {
    this.pico.rom.cutAt = at;
    const cut = await act()
      .then(() => this.pico.run(CUT_PRESS_MS))
      .catch((error: unknown) => error);
    if (!(cut instanceof PowerCut))
      throw new Error(`expected a power cut while the settings are stored, found: ${cut}`);
    return storageIn(this.pico.flash);
  }

  async restarted(power: 'kept' | 'lost'): Promise<PicoDriver> {
    const driver = PicoDriver.on(this.pico.restarted(power));
    driver.#passphrase = this.#passphrase;
    return driver.#opened();
  }

  async #opened(): Promise<this> {
    if (this.#passphrase !== null) await this.openKeystore(this.#passphrase);
    return this;
  }

  async jump(name: string, ...values: number[]): Promise<void> {
    this.pico.jump(name, ...values);
  }

  async moveStack(name: string, at: string, below: number): Promise<void> {
    this.pico.onCall(name, () => {
      this.pico.chip.core.SP = symbol(at) - below;
    });
  }

  async isReset(milliseconds: number): Promise<boolean> {
    return this.pico.run(milliseconds, () => this.pico.resets > 0);
  }

  async usedMemory(): Promise<Uint8Array> {
    return this.pico.memory(symbol('data_start'), symbol('stack_top') - symbol('data_start'));
  }

  get usedMemoryAt(): number {
    return symbol('data_start');
  }

  get usedStack(): number {
    return this.pico.usedStack;
  }

  async setIdle(seconds: number): Promise<void> {
    this.pico.write(symbol('idle_seconds'), wordOf(seconds));
    const counted = () => Buffer.compare(this.pico.memory(symbol('idle_seconds'), 4), wordOf(seconds)) !== 0;
    if (!this.pico.run(CALL_MS, counted)) throw new Error('the board has not counted a second');
    await this.settle();
  }

  async openKeystore(passphrase: string): Promise<void> {
    await this.settle();
    this.pico.openKeystore(passphrase);
  }

  async costs(name: string, act: () => Promise<unknown>, until?: Uint8Array): Promise<Costs> {
    const { pico, watched } = this;
    let [start, ended] = [0, 0];
    if (until && watched !== undefined)
      pico.onStore(watched, until.length, () => {
        if (Buffer.compare(until, pico.memory(watched, until.length)) === 0) ended = pico.cycles - start;
      });
    const cycles = await pico.cyclesOf(name, act, () => {
      start = pico.cycles;
    });
    pico.run(CALL_MS, () => cycles.length > 0);
    return { calls: cycles.map(withUnit), reached: ended > 0 ? withUnit(ended) : undefined, stores: [] };
  }

  async close(): Promise<void> {}
}

function withUnit(cycles: number): string {
  return `${cycles} cycles`;
}
