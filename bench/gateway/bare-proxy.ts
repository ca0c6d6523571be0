// What Node itself takes to pass a GET on: a server and a client without anything between them. The word is
// the upstream's address; prints its own.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { argv } from 'node:process';
import { type Dispatcher, Pool } from 'undici';

const HEADERS = ['accept', 'application/json'];
const KEEP_ALIVE_MS = 65_000;

/** Collects a response and sends it on, with its type and length alone. */
class Passing implements Dispatcher.DispatchHandler {
  readonly #response: ServerResponse;
  readonly #pieces: Buffer[] = [];
  #status = 0;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  onConnect(): void {}

  onHeaders(status: number): boolean {
    this.#status = status;
    return true;
  }

  onData(piece: Buffer): boolean {
    this.#pieces.push(piece);
    return true;
  }

  onComplete(): void {
    const body = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces);
    const lines = ['content-type', 'application/json', 'content-length', String(body.length)];
    this.#response.writeHead(this.#status, lines);
    this.#response.end(body);
  }

  onError(): void {
    this.#response.destroy();
  }
}

const upstream = new Pool(argv[2]!, { connections: 128 });
const server = createServer((request, response) => {
  upstream.dispatch({ method: 'GET', path: request.url!, headers: HEADERS }, new Passing(response));
});
server.keepAliveTimeout = KEEP_ALIVE_MS;
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
