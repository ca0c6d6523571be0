import type { Server } from 'node:http';
import { performServerHandshake, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { errorReply } from '../error-reply.js';
import { type RequestHead, requestHead } from './request-head.js';
import { holdingStreams, StreamSocket } from './stream-socket.js';

/** Requests of a session at the same time; of more, none waits. */
const MAX_STREAMS = 32;
/**
 * Requests taken back or refused, PINGs and SETTINGS of a session in WINDOW_MS. Chromium asks for one PING
 * in 10 s; a page that is left takes back what it asked for.
 */
const MAX_FRUITLESS = 100;
const WINDOW_MS = 10_000;
/** For the last frames of a session to reach its client. */
const LINGER_MS = 1000;
/** RFC 9113 §7. */
const ENHANCE_YOUR_CALM = 11;

/**
 * Bytes of a request's fields as RFC 9113 §6.5.2 counts them; above this, Node resets the stream before it has
 * decoded the rest. More than the request checks take, so that they answer.
 */
const MAX_HEADER_LIST_BYTES = 64 * 1024;
/** What RFC 9113 §6.5.2 adds for each field. */
const FIELD_OVERHEAD_BYTES = 32;

const OPTIONS = {
  settings: { maxConcurrentStreams: MAX_STREAMS, maxHeaderListSize: MAX_HEADER_LIST_BYTES },
  // More than the request checks take, so that they answer: above this, nghttp2 resets the stream.
  maxHeaderListPairs: 512,
  maxSessionInvalidFrames: MAX_FRUITLESS,
  maxSessionRejectedStreams: MAX_FRUITLESS,
  /** In megabytes. */
  maxSessionMemory: 4,
};

/** Time limits of a session. */
export interface SessionTimes {
  /** Without a request, before the first one. */
  firstMs: number;
  /** Without a request, later. */
  idleMs: number;
  /** For the answer to a PING. */
  pingMs: number;
}

/** Node's HTTP/1.1 server takes a connection. */
type Serve = (connection: Duplex) => void;

/**
 * Speaks HTTP/2 with clients of a server that chose it (RFC 7301): every stream becomes a connection of
 * HTTP/1.1 with one request for `serve`, so that the server's checks and limits hold for it as for any other.
 */
export function serveHttp2(server: Server, serve: Serve, times: SessionTimes): void {
  const sessions = new Set<Session>();
  const [serveHttp1] = server.listeners('secureConnection');
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol !== 'h2') {
      serveHttp1!.call(server, socket);
      return;
    }
    const session = new Session(socket, serve, times);
    sessions.add(session);
    socket.once('close', () => sessions.delete(session));
  });
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    holdingStreams(closeIdle);
    for (const session of sessions) session.close();
  };
  const closeAll = server.closeAllConnections.bind(server);
  server.closeAllConnections = () => {
    closeAll();
    for (const session of sessions) session.destroy();
  };
}

/** One connection of a client. */
class Session {
  readonly #socket: TLSSocket;
  readonly #session: ServerHttp2Session;
  readonly #serve: Serve;
  readonly #times: SessionTimes;
  #running = 0;
  #fruitless = 0;
  #windowEndMs = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Runs while a PING is not answered. */
  #overdue: NodeJS.Timeout | undefined;

  constructor(socket: TLSSocket, serve: Serve, times: SessionTimes) {
    this.#socket = socket;
    this.#serve = serve;
    this.#times = times;
    this.#session = performServerHandshake(socket, OPTIONS);
    this.#session.on('error', () => {});
    this.#session.on('stream', (stream, _headers, _flags, ...[raw]: unknown[]) =>
      this.#take(stream, raw as string[]),
    );
    this.#session.on('ping', () => this.#countFruitless());
    this.#session.on('remoteSettings', () => this.#countFruitless());
    socket.on('error', () => {});
    socket.once('close', () => {
      clearTimeout(this.#timer);
      clearTimeout(this.#overdue);
    });
    this.#closeAfter(times.firstMs);
  }

  /** Takes no more requests, and ends with the last that runs. */
  close(): void {
    if (this.#session.closed) return;
    this.#session.close();
    if (this.#running === 0) this.#destroyAfter(LINGER_MS);
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #take(stream: ServerHttp2Stream, raw: readonly string[]): void {
    stream.on('error', () => {});
    if (stream.closed || stream.destroyed) {
      this.#countFruitless();
      return;
    }
    // Node holds a client to the limit only when the client has acknowledged the settings.
    if (headerListBytes(raw) > MAX_HEADER_LIST_BYTES) {
      this.#calm();
      return;
    }
    const head = requestHead(raw, !stream.endAfterHeaders);
    if (head === undefined) {
      this.#countFruitless();
      if (!stream.destroyed) refuse(stream);
    } else {
      this.#run(stream, head);
    }
  }

  #run(stream: ServerHttp2Stream, head: RequestHead): void {
    clearTimeout(this.#timer);
    this.#running += 1;
    const socket = new StreamSocket(stream, {
      head,
      connection: this.#socket,
      onBrokenOff: () => this.#countFruitless(),
      onTimeout: () => this.#probe(),
    });
    socket.once('close', () => {
      this.#running -= 1;
      if (this.#running === 0) this.#rest();
    });
    this.#serve(socket);
  }

  /**
   * Ends a session whose client reads nothing at all or has left, which Node does not notice while a write is
   * under way, or which nghttp2 has ended.
   */
  #probe(): void {
    if (this.#overdue !== undefined || this.#session.destroyed) return;
    this.#overdue = setTimeout(() => this.destroy(), this.#times.pingMs);
    this.#session.ping(() => {
      clearTimeout(this.#overdue);
      this.#overdue = undefined;
    });
  }

  #rest(): void {
    if (this.#session.closed || this.#session.destroyed) {
      this.#destroyAfter(LINGER_MS);
    } else {
      this.#closeAfter(this.#times.idleMs);
    }
  }

  #countFruitless(): void {
    const nowMs = performance.now();
    if (nowMs >= this.#windowEndMs) {
      this.#windowEndMs = nowMs + WINDOW_MS;
      this.#fruitless = 0;
    }
    this.#fruitless += 1;
    if (this.#fruitless > MAX_FRUITLESS) this.#calm();
  }

  #calm(): void {
    if (this.#session.destroyed) return;
    this.#session.destroy(new Error('the client keeps the session busy'), ENHANCE_YOUR_CALM);
    this.#destroyAfter(LINGER_MS);
  }

  #closeAfter(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.close(), ms);
  }

  #destroyAfter(ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#socket.destroyed) this.#timer = setTimeout(() => this.destroy(), ms);
  }
}

function headerListBytes(raw: readonly string[]): number {
  const textBytes = raw.reduce((sum, text) => sum + text.length, 0);
  return textBytes + (raw.length / 2) * FIELD_OVERHEAD_BYTES;
}

/** Refuses a malformed request, which HTTP/1.1 answers in the same way. */
function refuse(stream: ServerHttp2Stream): void {
  const { headers, body } = errorReply(400);
  const { connection: _, ...fields } = headers;
  stream.respond({ ...fields, ':status': 400 });
  // What follows of the request is not needed.
  stream.end(body, () => stream.close());
  stream.resume();
}
