import { connect } from 'node:net';

export interface WireReply {
  status: number;
  /** Headers by lower-case name. */
  headers: Record<string, string>;
  body: string;
}

const PATIENCE_MS = 8000;

/**
 * Writes bytes (as Latin-1) to a port. Reads replies until the other side closes the connection, and throws
 * if it does not.
 */
export async function converse(port: number, localAddress: string, text: string): Promise<WireReply[]> {
  const socket = connect({ host: '127.0.0.1', port, localAddress });
  socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error(`no data arrived for ${PATIENCE_MS} ms`)));
  socket.write(text, 'latin1');
  const pieces: Buffer[] = [];
  try {
    for await (const piece of socket as AsyncIterable<Buffer>) {
      pieces.push(piece);
    }
  } catch (error) {
    // Unread bytes make the other side reset the connection.
    if (
      (error as NodeJS.ErrnoException).code !== 'ECONNRESET' &&
      (error as NodeJS.ErrnoException).code !== 'EPIPE'
    ) {
      throw error;
    }
  }
  return readReplies(Buffer.concat(pieces).toString('latin1'));
}

function readReplies(text: string): WireReply[] {
  const replies: WireReply[] = [];
  let rest = text;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    if (end === -1 || Number.isNaN(status)) {
      throw new Error(`this is not an HTTP reply: ${JSON.stringify(rest.slice(0, 200))}`);
    }
    const headers = Object.fromEntries(lines.map(splitHeader));
    const length = Number(headers['content-length'] ?? 0);
    const start = end + 4;
    if (headers['transfer-encoding'] !== undefined) throw new Error('the reply is chunked');
    if (status >= 200) replies.push({ status, headers, body: rest.slice(start, start + length) });
    rest = rest.slice(start + length);
  }
  return replies;
}

function splitHeader(line: string): [name: string, value: string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
