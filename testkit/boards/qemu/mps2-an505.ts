import { join } from 'node:path';
import { BoardImage } from '../board-image.js';
import { type Driver, type DriverOptions, STORED_BYTES, type Storage } from '../driver.js';
import type { Gdb } from './gdb.js';
import { Machine } from './machine.js';
import { PanelDriver } from './panel-driver.js';
import { CORTEX_M } from './serial-driver.js';

const SECTOR = 4 << 10;
/** Secure address of the settings, in the memory that a reset preserves. */
const SETTINGS = 0x10300000;
const SECTORS = [0, 1, 2, 3].map(index => SETTINGS + index * SECTOR);
/** Number of instructions between power cuts during the copy of a page. Some cuts are within a word. */
const INSTRUCTIONS_APART = 37;

/** Messages of QEMU at its start, when the image is not loaded yet, and about the missing network. */
const EXPECTED = /^Invalid read at addr 0x1000000[04], size 4, .*rejected$|lan9118/;

/** Options of a machine whose program may run in the secure or the non-secure world. */
export const TRUSTZONE = {
  program: 'qemu-system-arm',
  arguments: (image: BoardImage) => ['-M', 'mps2-an505', '-kernel', join(image.directory, 'zbc-signer.elf')],
  hasPanelUart: true,
  physical: (address: number) => address & ~(1 << 28),
};

/**
 * QEMU's Cortex-M33, with the host's UART in the non-secure world and the panel's UART in the secure world.
 */
export class Mps2An505 extends PanelDriver {
  /** Places of a power cut: before the erasure, after the erasure, and three during the copy of the page. */
  readonly cuts = 5;
  /** False, because the driver of the host's UART does not run during a trap. */
  override readonly answersTraps = false;

  static async open(options: DriverOptions): Promise<Mps2An505> {
    const image = new BoardImage(options.noise ? 'mps2-an505-vault' : 'mps2-an505');
    const machine = await Machine.start({ ...TRUSTZONE, arguments: () => TRUSTZONE.arguments(image) });
    const gdb = await machine.debug();
    const { settings, vault = [] } = options.storage;
    for (const [index, sector] of [...settings, ...vault].entries()) await gdb.write(SECTORS[index]!, sector);
    await gdb.detach();
    return new Mps2An505(machine, image, CORTEX_M, options).boot();
  }

  protected override isExpected(line: string): boolean {
    return EXPECTED.test(line);
  }

  async powerCutWhile(act: () => Promise<void>, at: number): Promise<Storage> {
    await this.settle();
    const gdb = await this.machine.debug();
    const reach = async (name: string) => {
      await gdb.breakAt(this.image.symbol(name));
      if (!(await gdb.resume())) throw new Error(`${name} was not called`);
    };
    const written = reach('flash_write');
    void act().catch(() => undefined);
    await written;
    if (at > 0) await reach('memcpy');
    if (at > 1) await this.#leave(gdb, (at - 1) * INSTRUCTIONS_APART);
    return this.cutPower();
  }

  async #leave(gdb: Gdb, instructions: number): Promise<void> {
    const { program } = this.registers;
    await gdb.stepOver(this.image.symbol('memcpy'), program);
    for (let step = 1; step < instructions; step++) await gdb.step();
  }

  protected reopen(options: DriverOptions): Promise<Driver> {
    return Mps2An505.open(options);
  }

  protected setTicking(): Promise<void> {
    throw new Error('the costs of calls cannot be measured on mps2-an505');
  }

  protected async stored(): Promise<Storage> {
    const read = (index: number) => this.machine.memory(SECTORS[index]!, STORED_BYTES);
    return { settings: [await read(0), await read(1)], vault: [await read(2), await read(3)] };
  }
}
