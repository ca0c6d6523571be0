import { Board } from '../../../testkit/boards/board.js';

const [LIMIT_MS, RESET_MS] = [100, 3000];

test('the watchdog resets the chip if a trap does not finish', async () => {
  const { driver } = await Board.start();
  await driver.jump('board_begin_trap', LIMIT_MS);
  expect(await driver.isReset(RESET_MS)).toBe(true);
});
