import { createServer, type Server, type Socket } from 'node:net';
import { statusWordOf } from '@zbc-signer/chain';
import { INS_SIGN_MESSAGE, INS_SIGN_TX } from '@zbc-signer/protocol/commands';
import { MAX_APDU } from '@zbc-signer/protocol/limits';
import { OK } from '@zbc-signer/protocol/status-words';
import { DisconnectedError } from '../errors.js';
import type { Emulator } from '../harness/emulator.js';

const LENGTH_BYTES = 4;
const STATUS_BYTES = 2;

/**
 * The APDU port: a frame `length u32be, APDU` is answered by `length of the data u32be, data, status word` in
 * one write. An invalid length closes the connection. When a client disconnects, the review of its command is
 * cancelled and its unfinished upload dropped.
 */
export function createApduServer(emulator: Emulator): Server & { closeSockets(): void } {
  const sockets = new Set<Socket>();
  let uploader: Socket | undefined;
  emulator.on('exchange', () => {
    uploader = undefined;
  });
  const server = createServer({ noDelay: true }, socket => {
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      if (uploader !== socket) return;
      uploader = undefined;
      try {
        emulator.cancel();
      } catch {
        // The emulator was stopped and has forgotten the upload.
      }
    });
    serve(emulator, socket, () => {
      uploader = socket;
    });
  });
  return Object.assign(server, {
    closeSockets() {
      uploader = undefined;
      for (const socket of sockets) socket.destroy();
    },
  });
}

function serve(emulator: Emulator, socket: Socket, onUpload: () => void): void {
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
      void answer(emulator, unread.subarray(LENGTH_BYTES, end), socket, link.signal, onUpload);
      unread = unread.subarray(end);
    }
  });
}

async function answer(
  emulator: Emulator,
  apdu: Uint8Array,
  socket: Socket,
  signal: AbortSignal,
  onUpload: () => void,
): Promise<void> {
  try {
    const reply = await emulator.exchange(apdu, signal);
    if (isUploading(apdu, reply)) onUpload();
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32BE(reply.length - STATUS_BYTES);
    socket.write(Buffer.concat([length, reply]));
  } catch {
    socket.destroy();
  }
}

/** Whether more chunks must follow a header or chunk: only the reply to the last chunk has data. */
function isUploading(apdu: Uint8Array, reply: Uint8Array): boolean {
  const [, instruction] = apdu;
  const isUpload = instruction === INS_SIGN_TX || instruction === INS_SIGN_MESSAGE;
  return isUpload && reply.length === STATUS_BYTES && statusWordOf(reply) === OK;
}
