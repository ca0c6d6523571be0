import { createServer, type Server, type Socket } from 'node:net';
import { MAX_APDU } from '@zbc-signer/protocol/limits';
import { DisconnectedError } from '../errors.js';
import type { Emulator } from '../harness/emulator.js';

const LENGTH_BYTES = 4;
const STATUS_BYTES = 2;

/**
 * The APDU port: a frame `length u32be, APDU` is answered by `length of the data u32be, data, status word` in
 * one write. An invalid length closes the connection. A client that disconnects cancels the review of its
 * command.
 */
export function createApduServer(emulator: Emulator): Server & { closeSockets(): void } {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, socket => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serve(emulator, socket);
  });
  return Object.assign(server, {
    closeSockets() {
      for (const socket of sockets) socket.destroy();
    },
  });
}

function serve(emulator: Emulator, socket: Socket): void {
  const link = new AbortController();
  let unread = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('close', () => link.abort(new DisconnectedError()));
  socket.on('data', chunk => {
    unread = Buffer.concat([unread, chunk]);
    while (!socket.destroyed && unread.length >= LENGTH_BYTES) {
      const length = unread.readUInt32BE();
      const end = LENGTH_BYTES + length;
      if (length === 0 || length > MAX_APDU) socket.destroy();
      if (socket.destroyed || unread.length < end) return;
      void answer(emulator, unread.subarray(LENGTH_BYTES, end), socket, link.signal);
      unread = unread.subarray(end);
    }
  });
}

async function answer(
  emulator: Emulator,
  apdu: Uint8Array,
  socket: Socket,
  signal: AbortSignal,
): Promise<void> {
  try {
    const reply = await emulator.exchange(apdu, signal);
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32BE(reply.length - STATUS_BYTES);
    socket.write(Buffer.concat([length, reply]));
  } catch {
    socket.destroy();
  }
}
