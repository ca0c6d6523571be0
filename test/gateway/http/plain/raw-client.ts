import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { until } from '../../../../testkit/until.js';

const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = '0\r\n\r\n';

/** A client of one connection, in raw bytes as Latin-1. */
export class RawClient {
  readonly socket: Socket;
  /** All that came. */
  received = '';
  isClosed = false;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (piece: Buffer) => {
      this.received += piece.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.isClosed = true;
    });
  }

  static async open(port: number, { tls = false, localAddress = '127.0.0.1' } = {}): Promise<RawClient> {
    const to = { port, host: '127.0.0.1', localAddress, allowHalfOpen: true };
    const socket = tls ? connectTls({ ...to, rejectUnauthorized: false }) : connect(to);
    const client = new RawClient(socket.setNoDelay());
    await once(socket, tls ? 'secureConnect' : 'connect');
    return client;
  }

  write(text: string): void {
    this.socket.write(text, 'latin1');
  }

  /** Resolves with the responses, bodies included, once there are as many whole ones. */
  async responses(count: number): Promise<string[]> {
    await until(() => this.isClosed || responsesIn(this.received).whole.length >= count);
    return responsesIn(this.received).whole;
  }

  /** Resolves with all that came when the other side has closed the connection. */
  async end(): Promise<string> {
    await until(() => this.isClosed || this.socket.readableEnded);
    this.socket.destroy();
    return this.received;
  }
}

/** Responses to GETs, one after another, and what is left of one that is not whole. */
export function responsesIn(text: string): { whole: string[]; rest: string } {
  const whole: string[] = [];
  let rest = text;
  for (;;) {
    const length = lengthOf(rest);
    if (length === undefined || length > rest.length) return { whole, rest };
    whole.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
}

/** Undefined while it cannot be said. */
function lengthOf(text: string): number | undefined {
  const end = text.indexOf(HEAD_END);
  if (end === -1) return undefined;
  const head = text.slice(0, end).toLowerCase();
  const start = end + HEAD_END.length;
  if (/^http\/1\.1 (?:304|204|1\d\d) /.test(head)) return start;
  if (!head.includes('transfer-encoding: chunked')) {
    return start + Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0);
  }
  const last = text.indexOf(LAST_CHUNK, start);
  return last === -1 ? undefined : last + LAST_CHUNK.length;
}
