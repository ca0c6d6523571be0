import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BoardImage } from '../board-image.js';
import { type Driver, type DriverOptions, type Key, STORED_BYTES, type Storage } from '../driver.js';
import type { Gdb } from './gdb.js';
import { Machine } from './machine.js';
import { CORTEX_M, KEY_BITS, SerialDriver } from './serial-driver.js';
import { tracePlugin } from './trace-plugin.js';

const FLASH_BYTES = 256 << 10;
const PAGE = 1 << 10;
const SETTINGS = [2, 1].map(pages => FLASH_BYTES - pages * PAGE) as [number, number];
/**
 * The pins of the keys: the QEMU path of port E or F, and the number of the pin. QEMU numbers its devices in
 * the order in which it creates them. Level 0 means that a key is down.
 */
const KEY_PINS = [
  ['/machine/unattached/device[12]', 2, KEY_BITS.left],
  ['/machine/unattached/device[12]', 3, KEY_BITS.right],
] as const;
const SELECT_PIN = ['/machine/unattached/device[13]', 1] as const;
const SYSTICK_CONTROL = 0xe000e010;
/** Messages that QEMU prints at its start, or about features that it does not model. */
const EXPECTED = /^flash-control: unimplemented|stellaris_enet|period zero|^SSYS: write at bad offset 0x140$/;
const [FMA, FMD, FMC] = [0, 4, 8];
const KEY = 0xa4420000;
const [WRITE, ERASE] = [KEY | 1, KEY | 2].map(value => value >>> 0) as [number, number];
const SETTINGS_WORDS = 7;
const FRAME_BYTES = 1024;
const [WIDTH, HEIGHT, SCALE] = [128, 64, 4];

type Operation = { at: number; word?: number };

export class Lm3s6965 extends SerialDriver {
  readonly seesDisplay = false;
  protected readonly keystoreOptions = 0;
  /**
   * Number of places at which a power cut can interrupt a change: before it, with half of the page erased,
   * with the page erased, and after each written word.
   */
  readonly cuts = 3 + SETTINGS_WORDS;
  readonly #flash: Buffer;
  #applied = 0;
  readonly #registers: Record<number, number> = {};
  readonly #operations: Operation[] = [];

  private constructor(machine: Machine, image: BoardImage, options: DriverOptions) {
    super(machine, image, CORTEX_M, options);
    this.#flash = readFileSync(join(machine.directory, 'flash.bin'));
  }

  static async open(options: DriverOptions): Promise<Lm3s6965> {
    const image = new BoardImage('lm3s6965');
    const machine = await Machine.start({
      program: 'qemu-system-arm',
      arguments: directory => {
        const file = join(directory, 'flash.bin');
        writeFileSync(file, flashOf(image, options.storage));
        return ['-M', 'lm3s6965evb', '-kernel', file];
      },
      traced: tracePlugin(image, options),
    });
    return new Lm3s6965(machine, image, options).boot();
  }

  /**
   * Performs the flash commands after a key is released, because the program may store settings and read them
   * back.
   */
  override async hold(key: Key, isDown: boolean): Promise<void> {
    if (isDown || this.gdb || this.isMeasuring) return super.hold(key, isDown);
    const gdb = await this.machine.debug();
    const served = this.#serveFlash(gdb);
    await super.hold(key, isDown);
    await this.settle();
    gdb.interrupt();
    await served;
  }

  /** Performs the program's commands to the flash controller until the debugger is interrupted. */
  async #serveFlash(gdb: Gdb): Promise<void> {
    const flashWrite = this.image.symbol('flash_write');
    await gdb.breakAt(flashWrite);
    while (await gdb.run()) {
      const written = (await gdb.register(this.registers.link)) & ~1;
      await gdb.breakAt(written);
      await gdb.stepOver(flashWrite, this.registers.program);
      await gdb.run();
      await this.#showFlash(gdb);
      await gdb.unbreakAt(written);
    }
    await gdb.unbreakAt(flashWrite);
    await gdb.detach();
  }

  /** Presses or releases the key `select`, which stands for both keys. */
  async holdSelect(isDown: boolean): Promise<void> {
    await this.machine.test(`set_irq_in ${SELECT_PIN[0]} unnamed-gpio-in ${SELECT_PIN[1]} ${isDown ? 0 : 1}`);
    await this.awaitStable(isDown ? KEY_BITS.both : 0);
  }

  async frame(): Promise<Uint8Array | undefined> {
    const picture = await this.machine.screen();
    const pixels = picture.subarray(picture.length - WIDTH * HEIGHT * SCALE * SCALE * 3);
    const frame = new Uint8Array(FRAME_BYTES);
    for (let y = 0; y < HEIGHT; y++)
      for (let x = 0; x < WIDTH; x++) {
        const grey = pixels[((y * SCALE + 1) * WIDTH * SCALE + x * SCALE + 1) * 3]!;
        if (grey !== 0 && grey !== 0xff) throw new Error(`expected a pixel of 0 or 255, found grey ${grey}`);
        if (grey) frame[y * 16 + (x >> 3)]! |= 0x80 >> (x & 7);
      }
    return frame;
  }

  loseDisplayPower(): void {}

  async storage(): Promise<Storage> {
    await this.settle();
    return storageIn(this.#flash);
  }

  async powerCutWhile(act: () => Promise<void>, at: number): Promise<Storage> {
    await this.storage();
    const before = Buffer.from(this.#flash);
    this.#operations.length = 0;
    await act();
    await this.settle();
    await this.close();
    const [erasure, ...words] = this.#operations;
    if (words.length !== SETTINGS_WORDS)
      throw new Error(`expected ${SETTINGS_WORDS} words of settings, found ${words.length}`);
    if (at >= 1) before.fill(0xff, erasure!.at, erasure!.at + (at === 1 ? PAGE / 2 : PAGE));
    for (const operation of words.slice(0, Math.max(at - 2, 0))) program(before, operation);
    return storageIn(before);
  }

  protected async setKeys(bits: number): Promise<void> {
    for (const [path, pin, bit] of KEY_PINS)
      await this.machine.test(`set_irq_in ${path} unnamed-gpio-in ${pin} ${bits & bit ? 0 : 1}`);
    await this.machine.test(`set_irq_in ${SELECT_PIN[0]} unnamed-gpio-in ${SELECT_PIN[1]} 1`);
  }

  protected reopen(options: DriverOptions): Promise<Driver> {
    return Lm3s6965.open(options);
  }

  protected async setTicking(isTicking: boolean): Promise<void> {
    await this.machine.test(`writel ${SYSTICK_CONTROL} ${isTicking ? 7 : 4}`);
  }

  protected override isExpected(line: string): boolean {
    return EXPECTED.test(line);
  }

  /**
   * Reads the program's writes to the flash controller from QEMU's log, because QEMU does not perform them.
   */
  #readLog(): void {
    const lines = this.machine.log;
    for (const line of lines.slice(this.#applied)) {
      const [, offset, value] =
        /^flash-control: unimplemented device write .*offset 0x(\w+), value 0x(\w+)/.exec(line) ?? [];
      if (value !== undefined) this.#write(Number.parseInt(offset!, 16), Number.parseInt(value, 16));
    }
    this.#applied = lines.length;
  }

  #write(offset: number, value: number): void {
    this.#registers[offset] = value;
    if (offset !== FMC) return;
    const at = this.#registers[FMA] ?? 0;
    if (value === ERASE && at % PAGE === 0) {
      this.#operations.push({ at });
      this.#flash.fill(0xff, at, at + PAGE);
    } else if (value === WRITE && at % 4 === 0) {
      const operation = { at, word: this.#registers[FMD]! };
      this.#operations.push(operation);
      program(this.#flash, operation);
    } else
      throw new Error(
        `flash: FMC has the unknown command ${value.toString(16)} for address ${at.toString(16)}`,
      );
  }

  async #showFlash(gdb: Gdb): Promise<void> {
    this.#readLog();
    for (const at of SETTINGS) await gdb.write(at, this.#flash.subarray(at, at + STORED_BYTES));
  }
}

/** Programs a word of flash. Programming only changes bits from 1 to 0. */
function program(flash: Buffer, { at, word }: Operation): void {
  flash.writeUInt32LE((flash.readUInt32LE(at) & word!) >>> 0, at);
}

function flashOf(image: BoardImage, storage: Storage): Buffer {
  const flash = Buffer.alloc(FLASH_BYTES, 0xff);
  flash.set(image.bytes);
  storage.settings.forEach((sector, index) => {
    flash.set(sector, SETTINGS[index]!);
  });
  return flash;
}

function storageIn(flash: Buffer): Storage {
  const sector = (at: number) => Uint8Array.from(flash.subarray(at, at + STORED_BYTES));
  return { settings: [sector(SETTINGS[0]), sector(SETTINGS[1])] };
}
