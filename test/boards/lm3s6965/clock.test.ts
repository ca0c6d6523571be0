import { join } from 'node:path';
import { BoardImage } from '../../../testkit/boards/board-image.js';
import { heldTimes } from '../../../testkit/boards/qemu/clock.js';

/** An instruction takes 1,024 ns. */
const MACHINE = ['-M', 'lm3s6965evb', '-icount', 'shift=10'];
const TICKS_MICROSECONDS = 5000;

test('the time goes on while interrupts are held, and never goes back', async () => {
  const { directory } = new BoardImage('lm3s6965');
  const times = await heldTimes(join(directory, 'zbc-signer'), MACHINE, TICKS_MICROSECONDS);
  expect(times.at(-1)! - times[0]!).toBeGreaterThanOrEqual(TICKS_MICROSECONDS);
});
