import type { BasePeripheral, Peripheral, RP2040 } from 'rp2040js';
import { OLD_SEED_SECTOR } from './image.js';

/**
 * Bit in RESETS of each peripheral block, by the number of the block's 4 KB page. The audit needs it because
 * blocks of the simulator also work while they are held in reset.
 */
const RESET_BITS: Readonly<Record<number, number>> = {
  262164: 5, // 40014 IO_BANK0
  262172: 8, // 4001C PADS_BANK0
  262196: 22, // 40034 UART0
  262212: 3, // 40044 I2C0
  262228: 21, // 40054 TIMER
  327952: 24, // 50110 USBCTRL
};
const SRAM = 0x20000000;
/** The first cached alias of flash, and the first address after the cached aliases. */
const [XIP, XIP_NOCACHE_NOALLOC] = [0x10000000, 0x13000000];
/** Minimum times of SCL in the fast mode of I2C, in nanoseconds. */
const [SCL_LOW, SCL_HIGH] = [1300, 600];
const RESETS = 0x4000c;
const WATCHDOG = 0x40058;
const ALL = 0x1ffffff;
const OUT_OF_RESET_AT_POWER_ON = (1 << 6) | (1 << 9);
const SPIKE = 0xa0;
const ENABLE = 1 << 30;
const TICK = 0x2c;
const TICK_OF_12_MHZ = 12 | (1 << 9);

interface Resets extends Peripheral {
  reset: number;
}

/** Checks requirements of the silicon that the simulator does not check. */
export class Audit {
  #tick = 0;
  readonly #named = new Set<string>();

  constructor(
    private readonly chip: RP2040,
    private readonly warn: (text: string) => void,
    private readonly canReadFlash: () => boolean,
  ) {
    const resets = chip.peripherals[RESETS] as Resets;
    resets.reset = ALL & ~OUT_OF_RESET_AT_POWER_ON;
    const read = resets.readUint32.bind(resets);
    resets.readUint32 = offset => (offset === 8 ? ~resets.reset & ALL : read(offset));
    for (const [page, bit] of Object.entries(RESET_BITS)) this.#guard(resets, Number(page), bit);
    this.#watchTick();
    this.#guardMemory();
  }

  /** Returns the faults of clocks and pins. Call it while an image runs. */
  faults(pins: readonly (readonly [pin: number, functionSelect: number])[]): string[] {
    const { chip } = this;
    const clocks: [boolean, string][] = [
      [chip.clkSys === 125e6, `clk_sys is ${chip.clkSys}`],
      [chip.clkPeri === 125e6, `clk_peri is ${chip.clkPeri}`],
      [chip.pllUsb.frequency === 48e6, `PLL_USB is ${chip.pllUsb.frequency}`],
      [(chip.clocks.usbCtrl & 0xfe0) === 0x800, `CLK_USB_CTRL is ${chip.clocks.usbCtrl.toString(16)}`],
      ...this.#i2cTimes(),
      [this.#tick === TICK_OF_12_MHZ, `the tick of TIMER is ${this.#tick.toString(16)}`],
    ];
    const wrong = clocks.filter(([holds]) => !holds).map(([, text]) => text);
    return [
      ...wrong,
      ...pins.filter(([pin, select]) => !this.#isPin(pin, select)).map(([pin]) => `GP${pin}`),
    ];
  }

  /**
   * Checks the times of SCL. According to the data sheet of DW_apb_i2c, SCL is low for one cycle more than
   * its register says. It is high for the length of the spike filter and six cycles more than its register
   * says.
   */
  #i2cTimes(): [boolean, string][] {
    const bus = this.chip.i2c[0]!;
    const nanoseconds = (cycles: number) => (cycles * 1e9) / this.chip.clkSys;
    const low = nanoseconds(bus.sclLowPeriod + 1);
    const high = nanoseconds(bus.sclHighPeriod + bus.readUint32(SPIKE) + 6);
    return [
      [low >= SCL_LOW, `SCL is low for ${low} ns`],
      [high >= SCL_HIGH, `SCL is high for ${high} ns`],
    ];
  }

  /**
   * Checks that the watchdog runs when the board resets the chip. The watchdog must end a trap even if the
   * board hangs.
   */
  checkReset(): void {
    if (!(this.#watchdog.readUint32(0) & ENABLE))
      this.#warnOnce('the chip was reset while its watchdog was not running');
  }

  #isPin(number: number, functionSelect: number): boolean {
    const pin = this.chip.gpio[number]!;
    const isInput = pin.inputEnable && !pin.outputDisable;
    return pin.functionSelect === functionSelect && isInput && pin.pullupEnabled && !pin.pulldownEnabled;
  }

  #guard(resets: Resets, page: number, bit: number): void {
    const block = this.chip.peripherals[page] as BasePeripheral;
    const read = block.readUint32.bind(block);
    const write = block.writeUint32Atomic.bind(block);
    const check = () => {
      if ((resets.reset >> bit) & 1) this.#warnOnce(`${block.name} is used while it is held in reset`);
    };
    block.readUint32 = offset => {
      check();
      return read(offset);
    };
    block.writeUint32Atomic = (offset, value, kind) => {
      check();
      write(offset, value, kind);
    };
  }

  get #watchdog(): Peripheral {
    return this.chip.peripherals[WATCHDOG]!;
  }

  #watchTick(): void {
    const watchdog = this.#watchdog;
    const write = watchdog.writeUint32.bind(watchdog);
    watchdog.writeUint32 = (offset, value) => {
      if (offset === TICK) this.#tick = value;
      write(offset, value);
    };
  }

  /**
   * Reports accesses that cause a fault on silicon, and stores that have no effect on silicon. Most accesses
   * are valid accesses to SRAM, for which the check returns early.
   */
  #guardMemory(): void {
    const { chip } = this;
    const { sram, sramView } = chip;
    const [read32, read16, read8] = [
      chip.readUint32.bind(chip),
      chip.readUint16.bind(chip),
      chip.readUint8.bind(chip),
    ];
    const [write32, write16, write8] = [
      chip.writeUint32.bind(chip),
      chip.writeUint16.bind(chip),
      chip.writeUint8.bind(chip),
    ];
    const end = sram.length;
    const check = (address: number, size: number, isStore: boolean) => {
      if (address >>> 26 === XIP >>> 26 && !this.canReadFlash())
        this.#warnOnce('flash was read while it is being written');
      if (address % size !== 0) this.#warnOnce(`unaligned access to ${address.toString(16)}`);
      const isCached = address >= XIP && address < XIP_NOCACHE_NOALLOC;
      const sector = (address & 0xffffff) - OLD_SEED_SECTOR;
      if (isCached && sector >= 0 && sector < 4096)
        this.#warnOnce('the sector of an old seed was read into the cache');
      if (isStore && address < 0x18000000)
        this.#warnOnce(`store to ${address.toString(16)}, which is not writable`);
      if (isStore && size < 4 && address >>> 20 === 0x501)
        this.#warnOnce('DPRAM was not written with a whole word');
    };
    chip.readUint32 = address => {
      const at = (address - SRAM) >>> 0;
      if (at < end && (at & 3) === 0) return sramView.getUint32(at, true);
      check(address, 4, false);
      return read32(address);
    };
    chip.readUint16 = address => {
      const at = (address - SRAM) >>> 0;
      if (at < end && (at & 1) === 0) return sramView.getUint16(at, true);
      check(address, 2, false);
      return read16(address);
    };
    chip.readUint8 = address => {
      const at = (address - SRAM) >>> 0;
      if (at < end) return sram[at]!;
      check(address, 1, false);
      return read8(address);
    };
    chip.writeUint32 = (address, value) => {
      const at = (address - SRAM) >>> 0;
      if (at < end && (at & 3) === 0) {
        sramView.setUint32(at, value, true);
        return;
      }
      check(address, 4, true);
      write32(address, value);
    };
    chip.writeUint16 = (address, value) => {
      const at = (address - SRAM) >>> 0;
      if (at < end && (at & 1) === 0) {
        sramView.setUint16(at, value, true);
        return;
      }
      check(address, 2, true);
      write16(address, value);
    };
    chip.writeUint8 = (address, value) => {
      const at = (address - SRAM) >>> 0;
      if (at < end) {
        sram[at] = value;
        return;
      }
      check(address, 1, true);
      write8(address, value);
    };
  }

  #warnOnce(text: string): void {
    if (this.#named.has(text)) return;
    this.#named.add(text);
    this.warn(`${text} (at ${this.chip.core.PC.toString(16)})`);
  }
}
