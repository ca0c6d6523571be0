import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cleanText } from '@zbc-signer/chain';
import { approveSnapshots } from './approve.js';
import { findSnapshotChanges } from './changes.js';
import { renderSnapshotPage } from './page.js';

const MAX_BODY = 1_000_000;
/** The header sent by emulator/panel/snapshots.ts. */
const TOKEN_HEADER = 'x-zbc-signer-token';

/** A server for the page of changed snapshots. */
export interface ReviewServer {
  /** The URL. Its token is after the #, so browsers do not send it. */
  readonly url: string;
  /** Number of snapshots approved so far. */
  readonly approved: number;
  /** Ends the server and its open connections. */
  close(): Promise<void>;
}

/** An error response to the page. */
class RequestFault extends Error {
  override readonly name = 'RequestFault';
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Serves the page of changed snapshots on 127.0.0.1, and writes the snapshots approved there. Rejects with
 * Node's error if the port is taken.
 */
export async function serveReview(directory: string, port: number): Promise<ReviewServer> {
  const token = randomBytes(32).toString('hex');
  let approved = 0;
  const server = createServer({ maxHeaderSize: 8192 }, (request, response) => {
    answer(request).then(
      ([type, text]) => send(response, 200, type, text),
      error => sendFault(response, error),
    );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: taken } = server.address() as AddressInfo;
  const hosts = [`127.0.0.1:${taken}`, `localhost:${taken}`];

  async function answer(request: IncomingMessage): Promise<[type: string, text: string]> {
    const { method, url, headers } = request;
    // A page of another site could have a name that resolves to this address.
    if (!hosts.includes(headers.host ?? ''))
      throw new RequestFault(
        421,
        'the Host header must be 127.0.0.1 or localhost, with the port of this server',
      );
    if (method === 'GET' && url === '/') return ['text/html; charset=utf-8', await page()];
    if (method !== 'POST' || url !== '/approve') throw new RequestFault(404, 'there is no such page');
    if (headers.origin !== `http://${headers.host}`)
      throw new RequestFault(403, 'the request was made by another page');
    if (!isToken(headers[TOKEN_HEADER])) {
      throw new RequestFault(403, 'the URL of the page is incomplete: open the URL that was printed');
    }
    const names = await approve(parseApproval(await readBody(request)));
    approved += names.length;
    return ['application/json', JSON.stringify({ approved: names })];
  }

  async function page(): Promise<string> {
    const { changes, leftOut } = await findSnapshotChanges(directory);
    return renderSnapshotPage(changes, { leftOut, served: true });
  }

  const isToken = (given: unknown): boolean =>
    typeof given === 'string' &&
    given.length === token.length &&
    timingSafeEqual(Buffer.from(given.slice(0, token.length), 'latin1'), Buffer.from(token, 'latin1'));

  /** Approves all wanted changes or none, and only changes that the page has shown. */
  async function approve(wanted: ReadonlySet<string>): Promise<string[]> {
    const { changes } = await findSnapshotChanges(directory);
    const chosen = changes.filter(({ name, digest }) => wanted.has(`${name}#${digest}`));
    if (chosen.length < wanted.size)
      throw new RequestFault(409, 'the pictures have changed: load the page again');
    await approveSnapshots(chosen);
    return chosen.map(({ name }) => name);
  }

  return {
    url: `http://127.0.0.1:${taken}/#${token}`,
    get approved() {
      return approved;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Returns `name#digest` for each change, because a new page may have the name of a removed page. */
function parseApproval(text: string): ReadonlySet<string> {
  const fault = new RequestFault(400, 'expected {"snapshots": [{"name", "digest"}]}');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw fault;
  }
  const snapshots: unknown = Reflect.get(Object(body), 'snapshots');
  if (!Array.isArray(snapshots)) throw fault;
  return new Set(
    snapshots.map(each => {
      const [name, digest]: unknown[] = ['name', 'digest'].map(key => Reflect.get(Object(each), key));
      if (typeof name !== 'string' || typeof digest !== 'string') throw fault;
      return `${name}#${digest}`;
    }),
  );
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > MAX_BODY) throw new RequestFault(413, 'the request is too long');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
  });
  response.end(text);
}

function sendFault(response: ServerResponse, error: Error): void {
  const status = error instanceof RequestFault ? error.status : 500;
  send(response, status, 'application/json', JSON.stringify({ error: cleanText(error.message) }));
}
