import { type GPIOPin, GPIOPinState, RP2040 } from 'rp2040js';
import { Audit } from './audit.js';
import { BootRom, bootCrc } from './boot-rom.js';
import type { Key } from './driver.js';
import { FlashChip } from './flash-chip.js';
import { FLASH_BYTES, image, symbol } from './image.js';
import { HARD_FAULT, MemoryFault, Mpu } from './mpu.js';
import { writesOfWords, writesThatOpen } from './opened-keystore.js';
import { ROSC, Rosc } from './rosc.js';
import { Ssd1306 } from './ssd1306.js';

const CLOCK_HZ = 125e6;
const NANOSECONDS_A_CYCLE = 1e9 / CLOCK_HZ;
const BOOT2_AT = 0x41f00;
const SRAM_START = 0x20000000;
const WATCHDOG = 0x40058;
/** Pins of SDA, SCL, left and right, each with its function select (docs/boards/pico.md). */
const PINS = [
  [4, 3],
  [5, 3],
  [16, 5],
  [17, 5],
] as const;
const [SDA, SCL] = [4, 5];
const KEYS = { left: [16], right: [17], both: [16, 17] } as const satisfies Record<Key, readonly number[]>;
/** Warnings of the simulator about accesses that are correct on silicon. */
const NO_FAULT = /IC_SDA_HOLD|Unimplemented peripheral (?:read|write) (?:from|to) 0x[04]$/;
const SAMPLE = 64;
const MAX_WARNINGS = 1000;
/** KEYSTORE_OPTIONS in the board.mk of this board. */
export const KEYSTORE_OPTIONS = 0x101;
const OPENED_MS = 500;
const TIMER_INTERRUPT = 1;
/** Power-down bits of a PLL: the whole PLL, its post dividers, and its VCO. */
const PLL_DOWN = (1 << 0) | (1 << 3) | (1 << 5);

/** The members of the simulator's clock that its types do not declare. */
export interface Clock {
  readonly nanos: number;
  readonly nanosToNextAlarm: number;
  tick(nanoseconds: number): void;
  createAlarm(ring: () => void): { schedule(nanoseconds: number): void };
}

interface PicoOptions {
  /** Whether a display answers at address 3C of the I2C bus. Default: false. */
  hasDisplay?: boolean;
  /**
   * Bits of the ring oscillator, from the highest bit of the first byte on. After the last bit, the
   * oscillator is stuck.
   */
  noise?: Uint8Array;
  /** Whether I2C transfers take their real time. */
  slowDisplay?: boolean;
}

/** A Raspberry Pi Pico with a display and two buttons, in rp2040js. */
export class SimulatedPico {
  readonly chip = new RP2040();
  readonly display = new Ssd1306();
  readonly rom: BootRom;
  readonly rosc: Rosc;
  /** Warnings of the simulator or the audit. Any warning fails the test. */
  readonly warnings: string[] = [];
  hasDisplay: boolean;
  /** Number of resets by the watchdog. The program does not continue after a reset. */
  resets = 0;
  /** Accesses that the memory protection refused. */
  readonly refusals: string[] = [];
  readonly mpu = new Mpu(this.chip);
  #isMidByte = false;
  /** Whether a fault occurred in the fault handler. Then only the watchdog still works. */
  #isLockedUp = false;
  readonly #audit: Audit;
  readonly #clock = this.chip.clock as unknown as Clock;
  readonly #watches = new Map<number, () => void>();

  /** `flash` has 2 MB, and is copied. `sram` is the content of SRAM after a warm reset. */
  constructor(flash: Uint8Array, options: PicoOptions = {}, sram?: Uint8Array) {
    const { chip } = this;
    this.hasDisplay = options.hasDisplay ?? true;
    chip.logger = {
      debug: () => undefined,
      info: () => undefined,
      warn: (_, text) => this.#warn(text),
      error: (_, text) => this.#warn(text),
    };
    this.rom = new BootRom(chip);
    new FlashChip(
      chip,
      () => this.rom.isWriting,
      text => this.#warn(text),
    );
    chip.flash.set(flash);
    if (sram) chip.sram.set(sram);
    else fillWithNoise(chip.sram);
    for (const [pin] of PINS) this.#pin(pin).setInputValue(true);
    this.rosc = new Rosc(
      chip,
      options.noise ?? new Uint8Array(),
      () => this.#clock.nanos / 1e3,
      text => this.#warn(text),
    );
    chip.peripherals[ROSC] = this.rosc;
    this.#audit = new Audit(
      chip,
      text => this.warnings.push(text),
      () => !this.rom.isWriting,
    );
    this.#connectDisplay(options.slowDisplay ?? false);
    this.#connectWatchdog();
    this.#enterBoot2();
  }

  get flash(): Uint8Array {
    return this.chip.flash.subarray(0, FLASH_BYTES);
  }

  /** Whether the PLLs are powered on. The simulator outputs their clocks even if they are powered down. */
  get hasPlls(): boolean {
    const isOn = (pll: { readUint32(offset: number): number }) => (pll.readUint32(4) & PLL_DOWN) === 0;
    return isOn(this.chip.pllSys) && isOn(this.chip.pllUsb);
  }

  /** Whether the USB controller has its 48 MHz. */
  get isClockedForUsb(): boolean {
    return this.hasPlls && (this.chip.clocks.usbCtrl & 0xfe0) === 0x800;
  }

  get milliseconds(): number {
    return this.#clock.nanos / 1e6;
  }

  get cycles(): number {
    return this.chip.core.cycles;
  }

  /** All faults so far, and the current faults of clocks and pins. Read it only while the image runs. */
  get faults(): string[] {
    return [...this.warnings, ...this.refusals, ...this.#audit.faults(PINS)];
  }

  /** Returns the chip after a reset by the watchdog, which preserves SRAM, or after a loss of power. */
  restarted(power: 'kept' | 'lost', options: PicoOptions = {}): SimulatedPico {
    return new SimulatedPico(this.flash, options, power === 'kept' ? this.chip.sram : undefined);
  }

  /** Lets time pass without running the core. */
  pass(milliseconds: number): void {
    this.#clock.tick(milliseconds * 1e6);
  }

  /** Returns bytes of SRAM at an address. */
  memory(address: number, length: number): Uint8Array {
    return this.chip.sram.subarray(address - SRAM_START, address - SRAM_START + length);
  }

  /** Changes bytes of SRAM. */
  write(address: number, bytes: Uint8Array): void {
    this.memory(address, bytes.length).set(bytes);
  }

  /** Number of bytes of the stack that were written since the start code cleared it. */
  get usedStack(): number {
    const bottom = symbol('stack_bottom');
    const size = symbol('stack_top') - bottom;
    const untouched = this.memory(bottom, size).findIndex(byte => byte !== 0);
    return untouched < 0 ? 0 : size - untouched;
  }

  /**
   * Runs until `until` returns true, but at most for `milliseconds` of simulated time. `until` is called from
   * time to time. Returns the last result of `until`. Ends early if the program repeats an operation that
   * silicon does not allow.
   */
  run(milliseconds: number, until: () => boolean = () => false): boolean {
    const { core } = this.chip;
    const end = this.#clock.nanos + milliseconds * 1e6;
    let steps = 0;
    while (this.#clock.nanos < end && !this.hasEnded) {
      if (core.waiting || this.#isLockedUp) {
        if (until()) return true;
        this.#clock.tick(Math.min(Math.max(this.#clock.nanosToNextAlarm, 1), end - this.#clock.nanos));
        continue;
      }
      if (this.#watches.size > 0) this.#watches.get(core.PC)?.();
      this.#clock.tick(this.#execute() * NANOSECONDS_A_CYCLE);
      if (++steps % SAMPLE === 0 && until()) return true;
    }
    return until();
  }

  /** Whether the program was reset or caused too many warnings. It does not continue, and time stands still. */
  get hasEnded(): boolean {
    return this.resets > 0 || this.warnings.length >= MAX_WARNINGS;
  }

  #execute(): number {
    try {
      return this.chip.core.executeInstruction();
    } catch (error) {
      if (!(error instanceof MemoryFault)) throw error;
      this.refusals.push(error.message);
      this.fault();
      return 1;
    }
  }

  /** Raises a HardFault, which the simulator does not implement. */
  fault(): void {
    const { core } = this.chip;
    try {
      if (core.IPSR === HARD_FAULT) throw new MemoryFault('a fault occurred in the fault handler');
      core.exceptionEntry(HARD_FAULT);
      core.waiting = false;
    } catch (error) {
      if (!(error instanceof MemoryFault)) throw error;
      this.#isLockedUp = true;
    }
  }

  /** Runs until the menu is on the display and the board is idle. */
  boot(milliseconds = 500): this {
    if (
      !this.run(milliseconds, () => this.isIdle && (this.display.frame() !== undefined || !this.hasDisplay))
    )
      throw new Error(`the image did not start: ${this.where}`);
    return this;
  }

  get isIdle(): boolean {
    return this.chip.core.waiting;
  }

  get where(): string {
    return `at ${this.chip.core.PC.toString(16)} after ${this.milliseconds.toFixed(1)} ms; ${this.warnings.join('; ')}`;
  }

  /** Presses or releases keys. */
  hold(key: Key, isDown: boolean): void {
    for (const pin of KEYS[key]) this.#pin(pin).setInputValue(!isDown);
  }

  /** Presses a key as a user does: down for some time, and up again. */
  press(key: Key, milliseconds = 14): void {
    this.hold(key, true);
    this.run(milliseconds);
    this.hold(key, false);
    this.run(milliseconds);
  }

  /**
   * Opens the seed of the vectors' words with a passphrase on an idle board. `linked` is the running image.
   */
  openKeystore(passphrase = '', linked = image): this {
    for (const [address, bytes] of writesThatOpen(linked, KEYSTORE_OPTIONS, passphrase))
      this.write(address, bytes);
    const [front, signers] = [linked.symbol('front'), linked.symbol('signer_hal')];
    const isSigners = () => Buffer.from(this.memory(front, 4)).readUInt32LE() === signers;
    if (!this.run(OPENED_MS, () => isSigners() && this.isIdle))
      throw new Error(`the keystore did not open: ${this.where}`);
    return this;
  }

  /**
   * Enters the vectors' words on an idle board. The left key then computes their seed without a passphrase.
   */
  enterWords(): void {
    for (const [address, bytes] of writesOfWords(image, KEYSTORE_OPTIONS)) this.write(address, bytes);
  }

  /** Runs `action` each time a function of the image is entered. */
  onCall(name: string, action: () => void): void {
    this.#watches.set(symbol(name), action);
  }

  /** Makes the core skip the instruction at an address once. */
  skipOnce(address: number): void {
    this.#watches.set(address, () => {
      this.#watches.delete(address);
      const { core } = this.chip;
      const isWide = core.readUint16(core.PC) >>> 11 >= 0b11101;
      core.PC += isWide ? 4 : 2;
    });
  }

  /**
   * Like `onCall`, but runs only once per call even if an interrupt precedes the first instruction of the
   * function.
   */
  onEntry(name: string, action: () => void): void {
    let isInside = false;
    this.onCall(name, () => {
      if (isInside) return;
      isInside = true;
      const back = this.chip.core.LR & ~1;
      this.#watches.set(back, () => {
        isInside = false;
        this.#watches.delete(back);
      });
      action();
    });
  }

  /**
   * Returns the cycles of each call of a function during `act`, without those of timer interrupts. `entered`
   * runs at the start of each call.
   */
  async cyclesOf(name: string, act: () => Promise<unknown>, entered = () => {}): Promise<number[]> {
    const { core } = this.chip;
    const cycles: number[] = [];
    this.onCall(name, () => {
      const start = this.cycles;
      entered();
      const back = core.LR & ~1;
      core.enabledInterrupts &= ~TIMER_INTERRUPT;
      this.#watches.set(back, () => {
        cycles.push(this.cycles - start);
        core.enabledInterrupts |= TIMER_INTERRUPT;
        core.interruptsUpdated = true;
        this.#watches.delete(back);
      });
    });
    await act();
    this.#watches.delete(symbol(name));
    return cycles;
  }

  /** Runs `action` after each store of the image into `length` bytes of SRAM at `address`. */
  onStore(address: number, length: number, action: () => void): void {
    for (const store of ['writeUint32', 'writeUint16', 'writeUint8'] as const) {
      const write = this.chip[store].bind(this.chip);
      this.chip[store] = (at, value) => {
        write(at, value);
        if (at >= address && at < address + length) action();
      };
    }
  }

  /**
   * Makes the processor call a function of the image, once no interrupt is being handled. The interrupted
   * program does not continue.
   */
  jump(name: string, ...values: number[]): void {
    const { core } = this.chip;
    if (core.IPSR !== 0 && !this.run(1, () => core.IPSR === 0))
      throw new Error(`an interrupt did not end: ${this.where}`);
    values.forEach((value, index) => {
      core.registers[index] = value;
    });
    core.PC = symbol(name);
    core.waiting = false;
  }

  /**
   * Makes the display behave as if a transfer had been interrupted within a byte of zeros: it holds SDA low
   * for nine clocks, and accepts transfers only after a STOP. The returned function counts
   * the clocks up to that STOP.
   */
  holdData(): () => number {
    const [data, clock] = [this.#pin(SDA), this.#pin(SCL)];
    let clocks = 0;
    data.setInputValue(false);
    this.#isMidByte = true;
    clock.addListener((state, before) => {
      const isRise = before === GPIOPinState.Low && state !== before;
      if (isRise && this.#isMidByte && ++clocks === 9) data.setInputValue(true);
    });
    data.addListener((state, before) => {
      const isStop = before === GPIOPinState.Low && state !== before && clock.value !== GPIOPinState.Low;
      if (isStop && clocks >= 9) this.#isMidByte = false;
    });
    return () => clocks;
  }

  #pin(number: number): GPIOPin {
    return this.chip.gpio[number]!;
  }

  #warn(text: string): void {
    if (!NO_FAULT.test(text)) this.warnings.push(`${text} (at ${this.chip.core.PC.toString(16)})`);
  }

  #connectDisplay(isSlow: boolean): void {
    const bus = this.chip.i2c[0]!;
    let complete = () => {};
    const alarm = this.#clock.createAlarm(() => complete());
    const after = (bits: number, done: () => void) => {
      if (!isSlow) return done();
      complete = done;
      alarm.schedule(bits * (bus.sclHighPeriod + bus.sclLowPeriod + 15) * NANOSECONDS_A_CYCLE);
    };
    // A transfer cannot begin while the display holds SDA.
    bus.onStart = () => this.#pin(SDA).inputValue && after(1, () => bus.completeStart());
    bus.onConnect = address => {
      this.display.begin();
      after(9, () => bus.completeConnect(this.hasDisplay && !this.#isMidByte && address === 0x3c));
    };
    bus.onWriteByte = byte => {
      this.display.write(byte);
      after(9, () => bus.completeWrite(true));
    };
    bus.onStop = () => after(1, () => bus.completeStop());
  }

  #connectWatchdog(): void {
    const watchdog = this.chip.peripherals[WATCHDOG] as unknown as {
      onWatchdogTrigger: () => void;
      alarm: { enable: boolean };
    };
    watchdog.onWatchdogTrigger = () => {
      this.#audit.checkReset();
      // At 0, the timer of the simulator would fire endlessly.
      watchdog.alarm.enable = false;
      this.resets++;
    };
  }

  /** Starts the second stage as the boot ROM does. Its checksum must be correct. */
  #enterBoot2(): void {
    const { core, flash, sram } = this.chip;
    const stage = flash.subarray(0, 252);
    if (bootCrc(stage) !== new DataView(flash.buffer).getUint32(252, true))
      throw new Error('the second stage of the boot has a wrong checksum');
    sram.set(stage, BOOT2_AT);
    core.SP = core.PC = SRAM_START + BOOT2_AT;
    core.LR = 0;
  }
}

/** Fills SRAM with noise, because SRAM is not zero when silicon is powered on. */
function fillWithNoise(bytes: Uint8Array): void {
  for (let at = 0, state = 1; at < bytes.length; at++) {
    state = (Math.imul(state, 1103515245) + 12345) | 0;
    bytes[at] = state >>> 16;
  }
}
