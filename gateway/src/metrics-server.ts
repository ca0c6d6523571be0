import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const PATH = '/metrics';

export interface MetricsServer {
  url: string;
  stop(): Promise<void>;
}

/** Serves Prometheus's text on a listener of its own, which an operator keeps from the public. */
export async function startMetricsServer(
  { host, port }: { host: string; port: number },
  read: () => Promise<string>,
): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: 5000 }, (request, response) => {
    if (request.method !== 'GET' || request.url !== PATH) {
      response.writeHead(404).end();
      return;
    }
    read().then(
      text =>
        response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.listen(port, host);
  await once(server, 'listening');
  const bound = server.address() as AddressInfo;
  const name = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  return {
    url: `http://${name}:${bound.port}${PATH}`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
