import { Board, hex } from '../../../testkit/boards/board.js';
import { encodePacket } from '../../../testkit/boards/qemu/packets.js';
import { GET_APP_VERSION, getPublicKey } from '../../../testkit/device/apdu.js';
import { framed } from '../../../testkit/device/reports.js';

const [COMPUTING, WAITING] = [0x61, 0x62];
const ROUNDS = 30;

test('a report that is pending when another host connects is not answered', async () => {
  const board = await Board.start();
  const { driver } = board;
  const version = hex(board.reference.command(GET_APP_VERSION)!);
  const computed = encodePacket('R', framed(COMPUTING, getPublicKey(0))[0]!);
  const waiting = encodePacket('R', framed(WAITING, GET_APP_VERSION)[0]!);
  let isLost = false;
  // A board loses its first reply only if it is still computing it when the host connects.
  for (let milliseconds = 1; milliseconds < ROUNDS && !isLost; milliseconds++) {
    await driver.exactly(async () => {
      await driver.writeGarbage(0, computed);
      await driver.run(milliseconds);
      await driver.writeGarbage(0, Buffer.concat([waiting, encodePacket('C')]));
    });
    const channels: number[] = [];
    for (let reply = await driver.read(0, 20); reply; reply = await driver.read(0, 20))
      channels.push(reply[1]!);
    isLost = !channels.includes(COMPUTING);
    if (isLost) expect(channels).toEqual([]);
  }
  expect(isLost).toBe(true);
  expect(hex(await board.exchange(GET_APP_VERSION))).toBe(version);
});
