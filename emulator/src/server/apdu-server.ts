import { createServer, type Server, type Socket } from 'node:net';
import { MAX_APDU } from '@zbc-signer/protocol/limits';
import { FIRST_TCP_LINK } from '../device/exchange.js';
import type { Emulator } from '../harness/emulator.js';

const LENGTH_BYTES = 4;
const STATUS_BYTES = 2;

/** Number of links of TCP connections. */
const LINKS = 0x7000;
/** The only channel of a TCP connection. */
const CHANNEL = 0;

/**
 * The APDU port: a frame `length u32be, APDU` is answered by `length of the data u32be, data, status word` in
 * one write. An invalid length closes the connection. Each connection is a link. When a client disconnects,
 * the review of its command is cancelled and its unfinished upload dropped.
 */
export function createApduServer(emulator: Emulator): Server & { closeSockets(): void } {
  const sockets = new Set<Socket>();
  let opened = 0;
  const server = createServer({ noDelay: true }, socket => {
    const link = FIRST_TCP_LINK + (opened++ % LINKS);
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      emulator.leave(link, CHANNEL);
    });
    serve(emulator, socket, link);
  });
  return Object.assign(server, {
    closeSockets() {
      for (const socket of sockets) socket.destroy();
    },
  });
}

function serve(emulator: Emulator, socket: Socket, link: number): void {
  let unread = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('data', chunk => {
    unread = Buffer.concat([unread, chunk]);
    while (!socket.destroyed && unread.length >= LENGTH_BYTES) {
      const length = unread.readUInt32BE();
      const end = LENGTH_BYTES + length;
      if (length === 0 || length > MAX_APDU) socket.destroy();
      if (socket.destroyed || unread.length < end) return;
      void answer(emulator, unread.subarray(LENGTH_BYTES, end), socket, link);
      unread = unread.subarray(end);
    }
  });
}

async function answer(emulator: Emulator, apdu: Uint8Array, socket: Socket, link: number): Promise<void> {
  try {
    const reply = await emulator.beginFrom(link, CHANNEL, apdu);
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32BE(reply.length - STATUS_BYTES);
    socket.write(Buffer.concat([length, reply]));
  } catch {
    socket.destroy();
  }
}
