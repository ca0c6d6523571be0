// For whoever speaks to a board's host and panel on one line: joins two UARTs of a machine in QEMU, until the line is closed.
// join-uarts.js LINE HOST PANEL, three ports of 127.0.0.1.
import { createConnection, createServer, type Socket } from 'node:net';
import { encodePacket, PacketReader } from './packets.js';

/** Packets of a host; all others are the panel's. */
const HOST_PACKETS = ['R', 'C'];

const [line, host, panel] = process.argv.slice(2).map(Number);
const connect = (port: number | undefined) =>
  createConnection({ port: port!, host: '127.0.0.1', noDelay: true });

/** Whole packets only: two UARTs send at once. */
function forward(from: Socket, to: (type: string) => Socket): void {
  const reader = new PacketReader(text => console.error(text));
  from.on('data', (chunk: Buffer) => {
    for (const { type, body } of reader.take(chunk)) to(type).write(encodePacket(type, body));
  });
}

createServer({ noDelay: true }, socket => {
  const [ofHost, ofPanel] = [connect(host), connect(panel)];
  forward(socket, type => (HOST_PACKETS.includes(type) ? ofHost : ofPanel));
  forward(ofHost, () => socket);
  forward(ofPanel, () => socket);
  const all = [socket, ofHost, ofPanel];
  const close = () => {
    for (const each of all) each.destroy();
  };
  for (const each of all) each.on('error', close).on('close', close);
}).listen(line, '127.0.0.1');
