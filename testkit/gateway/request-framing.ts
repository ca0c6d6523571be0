import type { Socket } from 'node:net';

export const HEAD_END = '\r\n\r\n';

/**
 * Returns the length of the request at the start of the text, or undefined if the request is incomplete. A
 * body must have a Content-Length.
 */
function wholeLength(text: string): number | undefined {
  const head = text.indexOf(HEAD_END);
  if (head === -1) return undefined;
  const length = /^content-length: *(\d+)\r$/im.exec(`${text.slice(0, head)}\r\n`)?.[1] ?? '0';
  const whole = head + HEAD_END.length + Number(length);
  return text.length >= whole ? whole : undefined;
}

/**
 * Calls `call` for each complete request of a connection. Returns a function that returns the incomplete
 * rest.
 */
export function readRequests(socket: Socket, call: (request: string) => void): () => string {
  let pending = '';
  socket.setEncoding('latin1').on('data', (piece: string) => {
    pending += piece;
    for (let length = wholeLength(pending); length !== undefined; length = wholeLength(pending)) {
      call(pending.slice(0, length));
      pending = pending.slice(length);
    }
  });
  return () => pending;
}
