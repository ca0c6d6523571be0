import { createHash } from 'node:crypto';
import { encodeUartPacket, UartPacketReader } from '#host/device/transport/serial/uart-packets.js';

/**
 * Beginning of the packet that reports both keys down: END of SLIP, the type K, and the body 03. The CRC-32
 * follows.
 */
const KEYS = 'c04b03';

test('a packet is its type, its body and a checksum in a frame of SLIP', () => {
  const packet = Buffer.from(encodeUartPacket('K', Uint8Array.of(3)));
  expect(packet.toString('hex')).toMatch(new RegExp(`^${KEYS}(?:[0-9a-f]{2}){4,8}c0$`));
  expect(encodeUartPacket('R', Uint8Array.of(0xc0, 0xdb)).subarray(1, 6)).toEqual(
    Buffer.from('52dbdcdbdd', 'hex'),
  );
});

test('packets are assembled from pieces of any length, and damaged packets are dropped', () => {
  const bodies = [new Uint8Array(0), Uint8Array.from({ length: 256 }, (_, index) => index)];
  const bytes = Buffer.concat(bodies.map(body => encodeUartPacket('F', body)));
  const reader = new UartPacketReader();
  const packets = [...bytes].flatMap(byte => reader.take(Uint8Array.of(byte)));
  expect(packets.map(({ type, body }) => [type, Buffer.from(body)])).toEqual(
    bodies.map(body => ['F', Buffer.from(body)]),
  );
  for (let at = 1; at < 4; at++) {
    const damaged = Buffer.from(encodeUartPacket('K', Uint8Array.of(3)));
    damaged[at]! ^= 1;
    expect(new UartPacketReader().take(damaged)).toEqual([]);
  }
  expect(new UartPacketReader().take(Buffer.alloc(100_000, 1))).toEqual([]);
});

test('a damaged packet is dropped, whichever of its bytes are damaged', () => {
  const report = Uint8Array.from({ length: 64 }, (_, index) => index);
  const packet = Buffer.from(encodeUartPacket('R', report));
  for (let trial = 0; trial < 4000; trial++) {
    const [place, change] = createHash('sha256').update(`${trial}`).digest();
    const damaged = Buffer.from(packet);
    damaged[1 + (place! % (packet.length - 2))]! ^= change! | 1;
    const bodies = new UartPacketReader().take(damaged).map(({ body }) => Buffer.from(body));
    expect([trial, bodies]).toEqual([trial, []]);
  }
});

test('a packet that is longer than any packet of a signer is dropped', () => {
  expect(new UartPacketReader().take(encodeUartPacket('F', new Uint8Array(5000)))).toEqual([]);
});
