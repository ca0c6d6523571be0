import { Board } from '../../../testkit/boards/board.js';
import { Riscv } from '../../../testkit/boards/qemu/riscv.js';
import { emptyStorage } from '../../../testkit/boards/storage.js';

let board: Board<Riscv>;

/** A board that drew the second page of its menu, which its panel has not acknowledged. */
beforeEach(async () => {
  board = Board.on(await Riscv.open({ storage: emptyStorage() }));
  board.driver.hasDisplay = false;
  await board.press('right');
  await board.driver.settle();
});
afterEach(() => board.driver.close());

async function answerLate(): Promise<void> {
  board.driver.answer(board.driver.frameNumber);
  board.driver.hasDisplay = true;
  await board.driver.settle();
}

test('a panel that answers late loses no press', async () => {
  await answerLate();
  await board.pressAll(['right', 'right']);
});

test('a press that began before the panel answered does not count', async () => {
  await board.driver.hold('right', true);
  await answerLate();
  await board.driver.hold('right', false);
  await board.pressAll(['left', 'right']);
});

test('the reply of a panel to an earlier frame does not count for the current frame, which a press draws again', async () => {
  board.driver.answer(board.driver.frameNumber - 1);
  board.driver.hasDisplay = true;
  await board.driver.press('right');
  await board.expectFrame();
  await board.pressAll(['right', 'right']);
});
