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
/** Interval at which Node checks for requests that exceed their time limit. */
const CHECK_MS = 1000;
export const MAX_HEAD_BYTES = 16_384;
const KEEP_ALIVE_MS = 65_000;
/** Requests that one connection may send before the first of them is answered. */
const MAX_PIPELINED = 64;
/**
 * Maximum memory for the heads of all waiting requests of one connection. The parser's own limit does not
 * count the overhead of each line.
 */
const MAX_WAITING_BYTES = 131_072;
const LINE_BYTES = 64;
/** Statuses of parser errors. For any other error, the status is 400. */
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
 * Handles the requests of a connection one after another; Node would start all pipelined requests at once.
 * Input after a reply that closes the connection is ignored (RFC 9112 §9.6), because it may be part of the
 * rejected request.
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
  // Otherwise Node drops the header lines above its limit, but still uses them to find the end of the
  // request.
  server.maxHeadersCount = 0;
  // A client that half-closes its connection still receives its answers.
  Object.assign(server, { httpAllowHalfOpen: true });
  limitConnections(server, connections);
  if (tls !== undefined) closeWithoutHandshake(server);
  server.setTimeout(idleMs);
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    // Node has removed its own error listener from this socket.
    socket.on('error', () => {});
    server.emit('clientError', new Error('CONNECT'), socket);
  });
  // The request checks refuse an unknown expectation.
  server.on('checkExpectation', handle);
  return server;
}

/**
 * Makes `closeIdleConnections` also close connections that have not completed their TLS handshake. Node
 * counts them neither as idle nor as requests, so a stop would wait for their time limit.
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
 * Answers malformed input with an error body and closes the connection. If a response has begun, it sends
 * nothing; if an earlier complete request is being answered, it waits for that response. Calls `count` with
 * the status, unless the input is the broken body of a request, because that request is already counted.
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
    // A route that reads the body sends the response itself, after it has checked the admin key.
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
    `date: ${new Date().toUTCString()}`,
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
