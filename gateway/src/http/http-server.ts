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
import { errorReply, refuseRequest } from './error-reply.js';

const REQUEST_MS = 10_000;
const HEAD_MS = 10_000;
/** How often Node looks for requests that take too long. */
const CHECK_MS = 1000;
export const MAX_HEAD_BYTES = 16_384;
const KEEP_ALIVE_MS = 65_000;
/** What is told of a parser's error is its status; its own words would be about itself. */
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
  // A request without a Host is answered with an error body, as every other refusal.
  requireHostHeader: false,
  insecureHTTPParser: false,
};

/**
 * Handles the requests of one connection one after another: what follows a reply that ends the connection is not looked at
 * (RFC 9112 §9.6), since it may be a part of what was refused. Node would hand over all that come at once.
 */
function inTurn(unfinished: WeakMap<Socket, ServerResponse>, handle: RequestListener): RequestListener {
  return (request, response) => {
    const { socket } = request;
    const before = unfinished.get(socket);
    unfinished.set(socket, response);
    response.once('finish', () => {
      if (unfinished.get(socket) === response) unfinished.delete(socket);
    });
    // Node has ended the socket of a reply that ends the connection when that reply is finished.
    const handleIfOpen = () => {
      if (socket.writable) handle(request, response);
    };
    if (before === undefined) handleIfOpen();
    else before.once('finish', handleIfOpen);
  };
}

/** The server under the gateway's app; a connection on which nothing moves for `idleMs` ends. */
export function createHttpServer(listener: RequestListener, idleMs: number, tls?: TlsServerOptions): Server {
  const unfinished = new WeakMap<Socket, ServerResponse>();
  const handle = inTurn(unfinished, listener);
  const server: Server =
    tls === undefined
      ? createServer(SERVER_OPTIONS, handle)
      : createTlsServer({ ...SERVER_OPTIONS, ...tls }, handle);
  server.setTimeout(idleMs);
  server.on('connect', (_request: IncomingMessage, socket: Socket) => refuse(socket, 400));
  server.on(
    'checkExpectation',
    inTurn(unfinished, (_request, response) => refuseRequest(response, 417)),
  );
  return server;
}

/** Answers what the HTTP parser refused with an error body and ends the connection. */
export function refuseClient(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  refuse(socket, PARSER_STATUS.get(error.code ?? '') ?? 400);
}

function refuse(socket: Socket, status: number): void {
  const { headers, body } = errorReply(status);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines].join('\r\n');
  socket.end(`${head}\r\n\r\n${body}`);
  socket.destroySoon();
}
