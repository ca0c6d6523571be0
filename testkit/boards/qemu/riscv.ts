import { closeSync, openSync, readSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BoardImage } from '../board-image.js';
import { type Driver, type DriverOptions, STORED_BYTES, type Storage } from '../driver.js';
import { Machine } from './machine.js';
import { PanelDriver } from './panel-driver.js';
import type { Registers } from './serial-driver.js';
import { tracePlugin } from './trace-plugin.js';

const DEVICE_BYTES = 32 << 20;
const SECTOR = 256 << 10;
/** Offsets from the start of the second flash device. */
const SETTINGS = [SECTOR, 2 * SECTOR] as const;
const VAULT = [3 * SECTOR, 4 * SECTOR] as const;
const REGISTERS: Registers = {
  stack: 2,
  program: 32,
  link: 1,
  firstArgument: 10,
  programName: /\bpc +([0-9a-f]+)/,
};
const MTIMECMP_HIGH = 0x02004004;
const SETTINGS_WORDS = 7;

/** QEMU's RV32 machine, with a panel at the other end of its UART. */
export class Riscv extends PanelDriver {
  /** Places of a power cut: before the erasure, and before each word is written. */
  readonly cuts = 1 + SETTINGS_WORDS;

  static async open(options: DriverOptions): Promise<Riscv> {
    const image = new BoardImage(options.noise ? 'riscv-vault' : 'riscv');
    const machine = await Machine.start({
      program: 'qemu-system-riscv32',
      arguments: directory => {
        const [code, data] = [join(directory, 'code'), join(directory, 'data')];
        writeFileSync(code, image.bytes);
        writeFileSync(data, dataOf(options.storage));
        for (const file of [code, data]) truncateSync(file, DEVICE_BYTES);
        const drive = (unit: number, file: string) => [
          '-drive',
          `if=pflash,unit=${unit},format=raw,file=${file}`,
        ];
        return ['-M', 'virt', '-m', '4M', '-bios', 'none', ...drive(0, code), ...drive(1, data)];
      },
      traced: tracePlugin(image, options),
    });
    return new Riscv(machine, image, REGISTERS, options).boot();
  }

  async powerCutWhile(act: () => Promise<void>, at: number): Promise<Storage> {
    await this.settle();
    const gdb = await this.machine.debug();
    const command = this.image.symbol('flash_command');
    await gdb.breakAt(command);
    let reached = gdb.resume();
    void act().catch(() => undefined);
    for (let turn = 0; turn < at; turn++) {
      if (!(await reached)) throw new Error('the action does not store the settings');
      await gdb.stepOver(command, this.registers.program);
      reached = gdb.resume();
    }
    if (!(await reached)) throw new Error('the action does not store the settings');
    await this.machine.kill();
    return this.stored();
  }

  protected reopen(options: DriverOptions): Promise<Driver> {
    return Riscv.open(options);
  }

  protected async setTicking(isTicking: boolean): Promise<void> {
    await this.machine.test(`writel ${MTIMECMP_HIGH} ${isTicking ? 0 : 0xffffffff}`);
  }

  protected async stored(): Promise<Storage> {
    const file = openSync(join(this.machine.directory, 'data'), 'r');
    const read = (at: number) => {
      const sector = new Uint8Array(STORED_BYTES);
      readSync(file, sector, 0, STORED_BYTES, at);
      return sector;
    };
    const settings: Storage['settings'] = [read(SETTINGS[0]), read(SETTINGS[1])];
    const vault: Storage['vault'] = [read(VAULT[0]), read(VAULT[1])];
    closeSync(file);
    return { settings, vault };
  }
}

function dataOf({ settings, vault = [] }: { settings: Uint8Array[]; vault?: Uint8Array[] }): Uint8Array {
  const data = new Uint8Array(5 * SECTOR).fill(0xff);
  for (const [index, sector] of [...settings, ...vault].entries())
    data.set(sector, [...SETTINGS, ...VAULT][index]!);
  return data;
}
