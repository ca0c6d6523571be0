import { Board, hex } from '../../../testkit/boards/board.js';
import { encodePacket } from '../../../testkit/boards/qemu/packets.js';
import { GET_APP_VERSION, getPublicKey } from '../../../testkit/device/apdu.js';
import { framed } from '../../../testkit/device/reports.js';

let board: Board;

const report = framed(0x77, GET_APP_VERSION)[0]!;
const version = () => hex(board.reference.command(GET_APP_VERSION)!);

beforeAll(async () => {
  board = await Board.keep();
});

/** Sends bytes that are not a packet, and expects that the board answers only the command after them. */
async function isIgnored(bytes: Uint8Array): Promise<void> {
  await board.driver.writeGarbage(0, bytes);
  expect(await board.driver.read(0, 50)).toBeUndefined();
  expect(hex(await board.exchange(GET_APP_VERSION))).toBe(version());
}

test.each([1, 2, 40, 65, 69])('a packet with a wrong bit in byte %d is ignored', async at => {
  const packet = Uint8Array.from(encodePacket('R', report));
  packet[at]! ^= 0x10;
  await isIgnored(packet);
});

test('a packet with a wrong escape is ignored', async () => {
  const packet = [...encodePacket('R', report)];
  packet.splice(30, 0, 0xdb);
  await isIgnored(Uint8Array.from(packet));
});

test('a packet that is too short, too long or of another type is ignored', async () => {
  await isIgnored(encodePacket('R', report.subarray(0, 63)));
  await isIgnored(encodePacket('R', new Uint8Array(65)));
  await isIgnored(encodePacket('R', new Uint8Array(5000)));
  await isIgnored(encodePacket('X', report));
  await isIgnored(Uint8Array.of(0xc0, 0xc0, 0xdb, 0xc0, 0x52, 0xc0));
});

test('bytes that need an escape arrive unchanged in both directions', async () => {
  const channel = 0xc0db;
  await board.driver.write(0, framed(channel, GET_APP_VERSION)[0]!);
  expect(hex(await board.receive(channel))).toBe(version());
});

test('reports that arrive before the board requests them do not disturb a command', async () => {
  const asked = framed(0x51, getPublicKey(0))[0]!;
  const early = framed(0x52, GET_APP_VERSION)[0]!;
  const burst = [asked, early, early, early].map(bytes => encodePacket('R', bytes));
  await board.driver.writeGarbage(0, Buffer.concat(burst));
  expect(hex(await board.receive(0x51))).toBe(hex(board.reference.command(getPublicKey(0))!));
  while (await board.driver.read(0, 100));
  expect(hex(await board.exchange(GET_APP_VERSION))).toBe(version());
});
