import { STATUS_CODES } from 'node:http';

const SECOND_MS = 1000;

/** What the head says of the connection after the response. */
interface After {
  /** Whether it ends because the client wants that, or because the server stops. */
  end: 'client' | 'server' | undefined;
  keepAliveMs: number;
}

let date = '';
let dateEndsMs = 0;

/** A head in the order and form in which Node's server writes it. */
export function headOf(status: number, lines: readonly string[], { end, keepAliveMs }: After): string {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`;
  if (end === 'server') head += 'connection: close\r\n';
  for (let index = 0; index < lines.length; index += 2) head += `${lines[index]}: ${lines[index + 1]}\r\n`;
  head += dateLine();
  if (end === 'client') head += 'Connection: close\r\n';
  if (end === undefined) {
    head += `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveMs / SECOND_MS}\r\n`;
  }
  return head;
}

/** Made once a second. */
function dateLine(): string {
  const nowMs = Date.now();
  // A clock may be set back.
  if (nowMs >= dateEndsMs || nowMs < dateEndsMs - SECOND_MS) {
    dateEndsMs = nowMs - (nowMs % SECOND_MS) + SECOND_MS;
    date = `Date: ${new Date(nowMs).toUTCString()}\r\n`;
  }
  return date;
}
