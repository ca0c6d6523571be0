import type { Socket } from 'node:net';
import { encodePacket, PacketReader } from './packets.js';

/** Types of the packets of a host. All other packets belong to the panel. */
const HOST_PACKETS = ['R', 'C'];

/**
 * Distributes the packets of one line to the UARTs of host and panel. If the board has only one UART, both
 * are the same socket.
 */
export function joinUarts(line: Socket, host: Socket, panel: Socket): void {
  forward(line, type => (HOST_PACKETS.includes(type) ? host : panel));
  for (const uart of new Set([host, panel])) forward(uart, () => line);
}

/** Forwards only whole packets, because two UARTs may send at the same time. */
function forward(from: Socket, to: (type: string) => Socket): void {
  const reader = new PacketReader(text => console.error(text));
  from.on('data', (chunk: Buffer) => {
    for (const { type, body } of reader.take(chunk)) to(type).write(encodePacket(type, body));
  });
}
