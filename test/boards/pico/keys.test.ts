import { Board } from '../../../testkit/boards/board.js';
import { PicoDriver } from '../../../testkit/boards/pico-driver.js';
import { emptyStorage } from '../../../testkit/boards/storage.js';
import { getPublicKey, signTransaction } from '../../../testkit/device/apdu.js';
import { framed } from '../../../testkit/device/reports.js';
import { transactionCases } from '../../../testkit/repository/vectors.js';

const PRESS_MS = 30;
const CHANNEL = 7;

/** A board that received the last report of a transaction, and is drawing its first page. */
async function start(): Promise<Board<PicoDriver>> {
  const board = Board.on(await PicoDriver.open({ storage: emptyStorage() }));
  const commands = signTransaction(transactionCases[0]!);
  let channel = CHANNEL;
  for (const command of commands.slice(0, -1)) {
    board.reference.command(command);
    channel = await board.send(command);
    await board.receive(channel);
  }
  const reports = framed(channel, commands.at(-1)!);
  for (const report of reports.slice(0, -1)) await board.driver.write(0, report);
  await board.driver.settle();
  await board.driver.write(0, reports.at(-1)!, false);
  expect(board.reference.command(commands.at(-1)!)).toBeUndefined();
  return board;
}

/** Time until the display shows the page. */
async function drawingMs(): Promise<number> {
  const { driver, reference } = await start();
  let milliseconds = 0;
  while (Buffer.compare((await driver.frame())!, reference.frame) !== 0) {
    await driver.run(1);
    milliseconds++;
  }
  return milliseconds;
}

test('a press that began a few milliseconds before its page was complete does not count', async () => {
  const drawn = await drawingMs();
  for (const early of [2, 5, 8, 11].filter(milliseconds => milliseconds < drawn)) {
    const board = await start();
    await board.driver.run(drawn - early);
    await board.driver.hold('right', true);
    await board.driver.run(PRESS_MS);
    await board.driver.hold('right', false);
    await board.driver.run(PRESS_MS);
    await board.expectFrame();
    await board.pressAll(['right']);
  }
  expect(drawn).toBeGreaterThan(8);
});

test('a press that ended before its page was shown does not count', async () => {
  const board = Board.on(await PicoDriver.open({ storage: emptyStorage() }));
  const { driver, reference } = board;
  const command = getPublicKey(0, true);
  await driver.write(0, framed(CHANNEL, command)[0]!);
  await driver.press('right');
  expect(reference.command(command)).toBeUndefined();
  expect(Buffer.compare((await driver.frame())!, reference.frame)).not.toBe(0);
  await board.expectFrame();
  await board.pressAll(['right']);
});

test('a press that ended a few milliseconds before its page was complete does not count', async () => {
  const drawn = await drawingMs();
  for (const early of [1, 3, 5, 7]) {
    const board = await start();
    await board.driver.hold('right', true);
    await board.driver.run(drawn - early);
    await board.driver.hold('right', false);
    await board.driver.run(PRESS_MS);
    await board.expectFrame();
    await board.pressAll(['right']);
  }
  expect(drawn).toBeGreaterThan(PRESS_MS);
});
