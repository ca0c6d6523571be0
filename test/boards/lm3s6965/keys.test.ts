import { Board } from '../../../testkit/boards/board.js';
import { Lm3s6965 } from '../../../testkit/boards/qemu/lm3s6965.js';
import { emptyStorage } from '../../../testkit/boards/storage.js';

test('the select key acts as both buttons', async () => {
  const driver = await Lm3s6965.open({ storage: emptyStorage() });
  const board = Board.on(driver);
  try {
    await board.pressAll(['right']);
    for (const isDown of [true, false]) await driver.holdSelect(isDown);
    board.reference.press('both');
    await board.expectFrame();
  } finally {
    await driver.close();
  }
});
