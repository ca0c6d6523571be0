import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stringify } from 'lossless-json';
import type { Fields } from '../../../testkit/chain/wallet.js';
import type { Network } from '../../../testkit/devnet/network.js';

/** Replaces a full node's answer with JSON or raw text. If it returns undefined, the connection is closed. */
export type Forger = (path: string, body: Fields) => Fields | string | undefined;

const honest: Forger = (_path, body) => body;

/** An HTTP server in front of a full node. It records requests and can forge answers. */
export class Upstream {
  readonly requests: string[] = [];
  forge: Forger = honest;
  readonly #network: Network;
  readonly #server: Server;

  private constructor(network: Network) {
    this.#network = network;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(network: Network): Promise<Upstream> {
    const upstream = new Upstream(network);
    await new Promise<void>(resolve => upstream.#server.listen(0, '127.0.0.1', resolve));
    return upstream;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  becomeHonest(): void {
    this.forge = honest;
  }

  async stop(): Promise<void> {
    const closed = new Promise(resolve => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer({ url = '' }: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests.push(url);
    const { status, body } = await this.#network.get(url);
    const forged = this.forge(url, body);
    if (forged === undefined) {
      response.destroy();
      return;
    }
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof forged === 'string' ? forged : stringify(forged));
  }
}
