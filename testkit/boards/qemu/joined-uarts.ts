import type { Socket } from 'node:net';
import { encodePacket, PacketReader } from './packets.js';

/** Packets of a host; all others are the panel's. */
const HOST_PACKETS = ['R', 'C'];

/** Gives host and panel of a board, which are on one line, each its UART; of one UART, that. */
export function joinUarts(line: Socket, host: Socket, panel: Socket): void {
  forward(line, type => (HOST_PACKETS.includes(type) ? host : panel));
  for (const uart of new Set([host, panel])) forward(uart, () => line);
}

/** Whole packets only: two UARTs send at once. */
function forward(from: Socket, to: (type: string) => Socket): void {
  const reader = new PacketReader(text => console.error(text));
  from.on('data', (chunk: Buffer) => {
    for (const { type, body } of reader.take(chunk)) to(type).write(encodePacket(type, body));
  });
}
