import { readSymbols } from '../symbols.js';
import type { Gdb } from './gdb.js';
import { Machine } from './machine.js';

/** Numbers of registers in the debugger's stub of a Cortex-M. */
const [RESULT, LINK, PROGRAM] = [0, 14, 15];
const BOOT_MS = 60_000;
const SYSTICK_COUNTER = 0xe000e018;

interface StartedClock {
  machine: Machine;
  gdb: Gdb;
  /** Returns the address of a function or variable of the image. */
  symbol(name: string): number;
  /** Address at which the machine stopped at a breakpoint. */
  at: number;
}

/**
 * Runs a Cortex-M image until its clock has started, and then calls `read`. `image` is a path without an
 * extension. `options` are arguments of qemu-system-arm, including those that make its time advance with
 * instructions.
 */
async function withStartedClock<T>(
  image: string,
  options: string[],
  read: (started: StartedClock) => Promise<T>,
): Promise<T> {
  const symbols = readSymbols(`${image}.sym`);
  const symbol = (name: string) => symbols.get(name)!;
  const machine = await Machine.start({
    program: 'qemu-system-arm',
    arguments: () => [...options, '-kernel', `${image}.elf`],
  });
  try {
    const gdb = await machine.debug();
    const start = symbol('tick_start');
    await gdb.breakAt(start);
    if (!(await gdb.resume(BOOT_MS))) throw new Error('the image did not start');
    await gdb.unbreakAt(start);
    const at = (await gdb.register(LINK)) & ~1;
    await gdb.breakAt(at);
    if (!(await gdb.resume(BOOT_MS))) throw new Error('the clock of the image did not start');
    return await read({ machine, gdb, symbol, at });
  } finally {
    await machine.kill();
    machine.discard();
  }
}

/** Returns the counter of the clock of a Cortex-M image, directly after the start of the clock. */
export function countAtStart(image: string, options: string[]): Promise<number> {
  return withStartedClock(image, options, async ({ machine }) => {
    const [, count] = (await machine.test(`readl ${SYSTICK_COUNTER}`)).split(' ');
    return Number(count);
  });
}

/**
 * Returns values of `board_microseconds` in a Cortex-M image while interrupts are held. They are read
 * repeatedly until a time has passed, or until a value is lower than the previous one.
 */
export function heldTimes(image: string, options: string[], microseconds: number): Promise<number[]> {
  return withStartedClock(image, options, async ({ gdb, symbol, at }) => {
    const call = async (name: string) => {
      await gdb.setRegisters({ [PROGRAM]: symbol(name), [LINK]: at | 1 });
      if (!(await gdb.resume())) throw new Error(`the call of ${name} did not return`);
    };
    await call('board_hold_interrupts');
    const times: number[] = [];
    const passed = () => (times.at(-1) ?? 0) - (times[0] ?? 0);
    while (passed() < microseconds && (times.at(-1) ?? 0) >= (times.at(-2) ?? 0)) {
      await call('board_microseconds');
      times.push(await gdb.register(RESULT));
    }
    return times;
  });
}
