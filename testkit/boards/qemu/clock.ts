import { readSymbols } from '../symbols.js';
import { Machine } from './machine.js';

/** Of the stub of a Cortex-M. */
const [RESULT, LINK, PROGRAM] = [0, 14, 15];
const BOOT_MS = 60_000;

/**
 * What `board_microseconds` of a Cortex-M image says while interrupts are held, asked again and again until
 * so much time has passed, or until it goes back. `image` is a path without its ending; `machine` are
 * arguments of qemu-system-arm, among them those that let its time pass by instructions.
 */
export async function heldTimes(image: string, machine: string[], microseconds: number): Promise<number[]> {
  const symbols = readSymbols(`${image}.sym`);
  const symbol = (name: string) => symbols.get(name)!;
  const running = await Machine.start({
    program: 'qemu-system-arm',
    arguments: () => [...machine, '-kernel', `${image}.elf`],
  });
  try {
    const gdb = await running.debug();
    const stop = symbol('board_sleep');
    await gdb.breakAt(stop);
    const call = async (name: string) => {
      await gdb.setRegisters({ [PROGRAM]: symbol(name), [LINK]: stop | 1 });
      if (!(await gdb.resume())) throw new Error(`${name} does not return`);
    };
    if (!(await gdb.resume(BOOT_MS))) throw new Error('the image does not start');
    await call('board_hold_interrupts');
    const times: number[] = [];
    const passed = () => (times.at(-1) ?? 0) - (times[0] ?? 0);
    while (passed() < microseconds && (times.at(-1) ?? 0) >= (times.at(-2) ?? 0)) {
      await call('board_microseconds');
      times.push(await gdb.register(RESULT));
    }
    return times;
  } finally {
    await running.kill();
    running.discard();
  }
}
