import { Board } from '../../../testkit/boards/board.js';
import { flashWith, symbol } from '../../../testkit/boards/image.js';
import { wordOf } from '../../../testkit/boards/opened-keystore.js';
import { SimulatedPico } from '../../../testkit/boards/pico.js';
import { PicoDriver } from '../../../testkit/boards/pico-driver.js';
import { Reference } from '../../../testkit/boards/reference.js';
import { emptyStorage } from '../../../testkit/boards/storage.js';
import { signTransaction } from '../../../testkit/device/apdu.js';
import { transactionCases } from '../../../testkit/repository/vectors.js';

const [BRIGHT, DIM] = [0x7f, 1];
const PRESS_MS = 60;

type PicoBoard = Board<PicoDriver>;

async function start(): Promise<PicoBoard> {
  return Board.on(await PicoDriver.open({ storage: emptyStorage() }));
}

/** Simulates this many seconds without a press or a new frame. */
function rest({ driver: { pico } }: PicoBoard, seconds: number): void {
  pico.write(symbol('still_seconds'), wordOf(seconds - 1));
  pico.run(1100);
}

describe('a page that is left on the display', () => {
  test('is dimmed after a minute, and a press acts and restores the brightness', async () => {
    const board = await start();
    const { display } = board.driver.pico;
    rest(board, 59);
    expect(display.contrast).toBe(BRIGHT);
    board.driver.pico.run(1000);
    await board.expectFrame();
    expect(display.contrast).toBe(DIM);
    await board.pressAll(['both']);
    expect(display.contrast).toBe(BRIGHT);
  });

  test('goes dark after five minutes, and the next press only shows the page again', async () => {
    const board = await start();
    const channel = (await board.sendAll(signTransaction(transactionCases[0]!)))!;
    await board.awaitApproval();
    rest(board, 300);
    expect(await board.driver.frame()).toBeUndefined();
    await board.driver.press('both');
    await board.expectFrame();
    expect(await board.driver.read(0, PRESS_MS)).toBeUndefined();
    await board.approve(channel);
  });

  test('is replaced by a page for a host, even if it is dark', async () => {
    const board = await start();
    rest(board, 300);
    expect(await board.driver.frame()).toBeUndefined();
    await board.sendAll(signTransaction(transactionCases[0]!));
    await board.expectFrame();
    expect(board.driver.pico.display.contrast).toBe(BRIGHT);
  });
});

test('a display that a reset interrupted in a byte shows the first frame', async () => {
  const pico = new SimulatedPico(flashWith());
  const clocks = pico.holdData();
  await Board.on(PicoDriver.on(pico), new Reference(null)).expectFrame();
  // Nine clocks, and the one of the STOP.
  expect(clocks()).toBe(10);
});
