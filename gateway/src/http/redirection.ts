import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { refuseRequest } from './error-reply.js';

const REQUEST_TIMEOUT_MS = 5000;
const MAX_HEADER_BYTES = 8192;
const MAX_CONNECTIONS = 256;
const HTTPS_PORT = 443;

interface RedirectionOptions {
  host: string;
  /** 0 lets the system choose. */
  port: number;
  httpsPort: number;
  /** Whether a `Host` header names this gateway or one of its nodes. */
  answersFor: (host: string, request: IncomingMessage) => boolean;
  /** What is answered here instead, such as a certificate authority's question; undefined for all else. */
  readHere?: ((path: string) => Promise<Buffer | undefined>) | undefined;
}

export interface Redirection {
  port: number;
  stop(): Promise<void>;
}

/** Redirects HTTP requests to the same path over HTTPS, only for host names of this gateway. */
export async function startRedirection(options: RedirectionOptions): Promise<Redirection> {
  const settings = {
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: 1000,
    maxHeaderSize: MAX_HEADER_BYTES,
  };
  const server = createServer(settings, (request, response) => void answer(request, response, options));
  server.maxHeadersCount = 0;
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(options.port, options.host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { answersFor, readHere, httpsPort }: RedirectionOptions,
): Promise<void> {
  const { host = '' } = request.headers;
  const path = request.url ?? '';
  // An unread body must not be parsed as the next request.
  response.setHeader('connection', 'close');
  if (!answersFor(host, request)) {
    refuseRequest(response, 403, 'Host not served');
    return;
  }
  if (!/^\/[!-~]*$/.test(path)) {
    refuseRequest(response, 400, 'Bad request');
    return;
  }
  const here = request.method === 'GET' ? await readHere?.(path).catch(() => undefined) : undefined;
  if (here !== undefined) {
    const headers = { 'content-type': 'application/octet-stream', 'content-length': here.length };
    response.writeHead(200, { ...headers, 'x-content-type-options': 'nosniff' }).end(here);
    return;
  }
  const port = httpsPort === HTTPS_PORT ? '' : `:${httpsPort}`;
  const location = `https://${host.replace(/:\d*$/, '')}${port}${path}`;
  response.writeHead(308, { location, 'content-length': 0 }).end();
}
