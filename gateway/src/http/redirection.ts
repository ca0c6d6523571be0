import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { refuseRequest } from './error-reply.js';

const REQUEST_TIMEOUT_MS = 5000;
const MAX_HEADER_BYTES = 8192;
const HTTPS_PORT = 443;

export interface RedirectionOptions {
  host: string;
  /** 0 lets the system choose. */
  port: number;
  httpsPort: number;
  /** Whether the gateway answers for a `Host` header. */
  answersFor: (host: string, request: IncomingMessage) => boolean;
}

export interface Redirection {
  port: number;
  stop(): Promise<void>;
}

/** Sends whoever asks over HTTP to the same path over HTTPS, and nowhere but to names of this gateway. */
export async function startRedirection(options: RedirectionOptions): Promise<Redirection> {
  const settings = { requestTimeout: REQUEST_TIMEOUT_MS, maxHeaderSize: MAX_HEADER_BYTES };
  const server = createServer(settings, (request, response) => redirect(request, response, options));
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

function redirect(request: IncomingMessage, response: ServerResponse, options: RedirectionOptions): void {
  const { host = '' } = request.headers;
  const path = request.url ?? '';
  // A body that nobody reads must not be taken for the next request.
  response.setHeader('connection', 'close');
  if (!options.answersFor(host, request)) {
    refuseRequest(response, 403, 'This gateway does not answer for that host');
  } else if (!/^\/[!-~]*$/.test(path)) {
    refuseRequest(response, 400, 'Bad request');
  } else {
    const port = options.httpsPort === HTTPS_PORT ? '' : `:${options.httpsPort}`;
    const location = `https://${host.replace(/:\d*$/, '')}${port}${path}`;
    response.writeHead(308, { location, 'content-length': 0 }).end();
  }
}
