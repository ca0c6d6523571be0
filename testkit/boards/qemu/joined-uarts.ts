import type { Socket } from 'node:net';
import { encodePacket, PacketReader } from './packets.js';

/** Types of a host's packets; all others are the panel's. */
const HOST_PACKETS = ['R', 'C'];

/** Separates host and panel of one line into their UARTs; if a board has one UART, both use it. */
export function joinUarts(line: Socket, host: Socket, panel: Socket): void {
  forward(line, type => (HOST_PACKETS.includes(type) ? host : panel));
  for (const uart of new Set([host, panel])) forward(uart, () => line);
}

/** Forwards only whole packets, because two UARTs send at once. */
function forward(from: Socket, to: (type: string) => Socket): void {
  const reader = new PacketReader(text => console.error(text));
  from.on('data', (chunk: Buffer) => {
    for (const { type, body } of reader.take(chunk)) to(type).write(encodePacket(type, body));
  });
}
