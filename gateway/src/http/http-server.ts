import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { createServer as createTlsServer, type ServerOptions as TlsServerOptions } from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { errorBody, RequestError } from '../base/errors.js';
import { type ConnectionLimits, limitConnections } from './connections.js';

const HANDSHAKE_MS = 10_000;
const REQUEST_MS = 10_000;
const HEAD_MS = 10_000;
/** Interval of Node's check for requests past their timeout. */
const CHECK_MS = 1000;
export const MAX_HEAD_BYTES = 16_384;
const KEEP_ALIVE_MS = 65_000;
/** Requests that one connection may send before the first of them is answered. */
const MAX_PIPELINED = 64;
/**
 * Memory for the heads of waiting requests together; the parser's own limit ignores the overhead per line.
 */
const MAX_WAITING_BYTES = 131_072;
const LINE_BYTES = 64;
/** Statuses of parser errors; any other is 400. */
const PARSER_STATUS = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
]);

const SERVER_OPTIONS: ServerOptions = {
  maxHeaderSize: MAX_HEAD_BYTES,
  headersTimeout: HEAD_MS,
  requestTimeout: REQUEST_MS,
  connectionsCheckingInterval: CHECK_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  // The request checks reject a request without a Host, with an error body.
  requireHostHeader: false,
  insecureHTTPParser: false,
};

/** A connection's unfinished responses, in the order of sending. */
const unfinished = new WeakMap<Socket, ServerResponse[]>();
/** Responses that end their connection, because the input after them is not HTTP. */
const closing = new WeakSet<ServerResponse>();

/**
 * Handles the requests of a connection one after another, whereas Node would start all pipelined requests at
 * once. Input after a reply that closes the connection is ignored (RFC 9112 §9.6), because it may be part of
 * the rejected request.
 */
function inTurn(handle: RequestListener): RequestListener {
  return (request, response) => {
    const { socket } = request;
    const queue = unfinished.get(socket) ?? [];
    const before = queue.at(-1);
    const waiting = before === undefined ? [] : [...queue.slice(1).map(({ req }) => req), request];
    if (queue.length === MAX_PIPELINED || costOf(waiting) > MAX_WAITING_BYTES) {
      socket.destroy();
      return;
    }
    unfinished.set(socket, queue);
    queue.push(response);
    response.on('finish', () => queue.shift());
    // When a closing reply has finished, Node has already ended the socket.
    if (before !== undefined) {
      before.on('finish', () => {
        if (socket.writable) handle(request, response);
      });
    } else if (socket.writable) {
      handle(request, response);
    }
  };
}

function costOf(requests: readonly IncomingMessage[]): number {
  return requests.reduce(
    (sum, { rawHeaders }) => rawHeaders.reduce((bytes, text) => bytes + text.length + LINE_BYTES, sum),
    0,
  );
}

interface HttpServerOptions {
  /** A connection is closed after this long without any transfer. */
  idleMs: number;
  connections: ConnectionLimits;
  tls?: TlsServerOptions | undefined;
}

/**
 * Creates the server for the gateway's app. Malformed input arrives as the event `clientError`;
 * `refuseMalformed` answers it.
 */
export function createHttpServer(
  listener: RequestListener,
  { idleMs, connections, tls }: HttpServerOptions,
): Server {
  const handle = inTurn(listener);
  const server: Server =
    tls === undefined
      ? createServer(SERVER_OPTIONS, handle)
      : createTlsServer({ ...SERVER_OPTIONS, handshakeTimeout: HANDSHAKE_MS, ...tls }, handle);
  // Without this, Node drops header lines past its limit but still frames the request by them.
  server.maxHeadersCount = 0;
  // A client that half-closes its connection still receives its answers.
  Object.assign(server, { httpAllowHalfOpen: true });
  limitConnections(server, connections);
  if (tls !== undefined) closeWithoutHandshake(server);
  server.setTimeout(idleMs);
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    // Node has removed its own listener.
    socket.on('error', () => {});
    server.emit('clientError', new Error('CONNECT'), socket);
  });
  // The request checks refuse an unknown expectation.
  server.on('checkExpectation', handle);
  return server;
}

/**
 * Node counts connections before their handshake neither as idle nor as requests, so a stop would wait for
 * their time limit.
 */
function closeWithoutHandshake(server: Server): void {
  const pending = new Map<string, Socket>();
  const keyOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;
  server.on('connection', (socket: Socket) => {
    const key = keyOf(socket);
    pending.set(key, socket);
    socket.once('close', () => pending.get(key) === socket && pending.delete(key));
  });
  server.on('secureConnection', (socket: TLSSocket) => pending.delete(keyOf(socket)));
  server.on('tlsClientError', (_error: Error, socket: TLSSocket) => socket.destroy());
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    closeIdle();
    for (const socket of pending.values()) socket.destroy();
  };
}

/** The answer to input that is not HTTP. */
export interface Refusal {
  status: number;
  headers: Record<string, number>;
}

/**
 * Answers malformed input with an error body and closes the connection. Sends nothing if a response has
 * begun, and waits for the response to an earlier complete request. Calls `count` with the status, except for
 * the broken body of a request, which is counted already.
 */
export function refuseMalformed(
  error: NodeJS.ErrnoException,
  socket: Socket,
  count: (status: number) => Refusal,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = PARSER_STATUS.get(error.code ?? '') ?? 400;
  const first = unfinished.get(socket)?.[0];
  if (first === undefined) {
    refuse(socket, count(status));
    return;
  }
  // The parser repeats its error for every later chunk.
  if (closing.has(first)) return;
  closing.add(first);
  if (first.req.complete) {
    count(status);
    // This listener must run before those that start the next request.
    first.prependListener('finish', () => socket.destroySoon());
  } else if (first.headersSent) {
    socket.destroySoon();
  } else {
    first.setHeader('connection', 'close');
    // The route that reads the body answers first, after its check of the key.
    setImmediate(() => {
      const isRead = first.req.listenerCount('error') > 0;
      if (isRead) first.req.emit('error', new RequestError(status, STATUS_CODES[status]!));
      else socket.destroySoon();
    });
  }
}

function refuse(socket: Socket, { status, headers }: Refusal): void {
  const body = JSON.stringify(errorBody(status, STATUS_CODES[status]!));
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    `content-length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
  socket.destroySoon();
}
