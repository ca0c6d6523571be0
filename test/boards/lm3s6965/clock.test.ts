import { join } from 'node:path';
import { BoardImage } from '../../../testkit/boards/board-image.js';
import { countAtStart, heldTimes } from '../../../testkit/boards/qemu/clock.js';

const IMAGE = join(new BoardImage('lm3s6965').directory, 'zbc-signer');
const TICKS_MICROSECONDS = 5000;

/** A machine whose instructions take this many nanoseconds; a step of the clock's counter takes 20. */
function machine(nanoseconds: 1 | 1024): string[] {
  return ['-M', 'lm3s6965evb', '-icount', `shift=${Math.log2(nanoseconds)}`];
}

test('the clock does not start at the end of a tick, from which the time would go back', async () => {
  expect(await countAtStart(IMAGE, machine(1))).toBeGreaterThan(0);
});

test('the time continues while interrupts are held, and never goes back', async () => {
  const times = await heldTimes(IMAGE, machine(1024), TICKS_MICROSECONDS);
  expect(times.at(-1)! - times[0]!).toBeGreaterThanOrEqual(TICKS_MICROSECONDS);
});
