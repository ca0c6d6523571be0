import { connect } from 'node:net';

export interface RawReply {
  status: number;
  /** Headers by lower-case name. */
  headers: Record<string, string>;
  body: string;
  text: string;
}

/**
 * Sends raw bytes, and reads until the server ends the connection. Returns the first reply, which may be
 * incomplete.
 */
export async function sendRaw(url: string, text: string): Promise<RawReply> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(text, 'latin1');
  const pieces: Buffer[] = [];
  try {
    for await (const piece of socket as AsyncIterable<Buffer>) {
      pieces.push(piece);
    }
  } catch {
    // A reset also ends the reply.
  }
  return readReply(Buffer.concat(pieces).toString('latin1'));
}

/** Sends a GET over a connection that is closed after the reply. */
export function getRaw(url: string, target: string, host: string): Promise<RawReply> {
  return sendRaw(url, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
}

function readReply(text: string): RawReply {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  return { status: Number(statusLine.split(' ')[1]), headers, body: rest.join('\r\n\r\n'), text };
}
