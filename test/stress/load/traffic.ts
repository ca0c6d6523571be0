import { Agent, Client, type Dispatcher } from 'undici';
import type { Numbers } from '../../../testkit/chain/numbers.js';
import type { Network } from '../../../testkit/network/network.js';
import type { KnownChainData } from './known-chain-data.js';
import type { Outcomes } from './outcomes.js';
import type { RequestKind } from './request-kinds.js';

const GATEWAY_HOST = 'gateway.test';
const PATIENCE_MS = 20_000;
/** The percentage of requests over a new connection. */
const OVER_A_NEW_CONNECTION = 10;
const MAX_ABANDONED_AFTER_MS = 50;
const KEPT_CONNECTIONS = 32;
const GONE = new Error('the client went away');

/** Sends requests to a network's gateway, over kept and over new connections. */
export class Traffic {
  readonly #kept = new Agent({ connections: KEPT_CONNECTIONS });

  constructor(
    private readonly network: Network,
    private readonly known: KnownChainData,
    private readonly numbers: Numbers,
    private readonly outcomes: Outcomes,
  ) {}

  /** Records the outcome; returns the body of an expected answer. */
  async ask(kind: RequestKind, dueMs: number, body?: string): Promise<string | undefined> {
    const name = `${kind.method ?? 'GET'} ${kind.path}`;
    try {
      return await this.#over(dispatcher => this.#exchange(dispatcher, kind, name, dueMs, body));
    } catch (error) {
      if (kind.abandoned && error === GONE) this.outcomes.abandoned();
      else
        this.outcomes.failed(name, error instanceof Error ? `${error.name}: ${error.message}` : `${error}`);
      return undefined;
    }
  }

  async close(): Promise<void> {
    await this.#kept.close();
  }

  /** Uses a kept connection, or a new one from any loopback address, as if from another client. */
  async #over<T>(exchange: (dispatcher: Dispatcher) => Promise<T>): Promise<T> {
    if (this.numbers(100) >= OVER_A_NEW_CONNECTION) return exchange(this.#kept);
    const localAddress = `127.${this.numbers(256)}.${this.numbers(256)}.${1 + this.numbers(254)}`;
    const client = new Client(this.network.gateway.url, { connect: { localAddress } });
    try {
      return await exchange(client);
    } finally {
      await client.destroy();
    }
  }

  async #exchange(
    dispatcher: Dispatcher,
    kind: RequestKind,
    name: string,
    dueMs: number,
    body: string | undefined,
  ): Promise<string | undefined> {
    const { method = 'GET', path, status: expected } = kind;
    const response = await dispatcher.request({
      origin: this.network.gateway.url,
      path: this.known.fill(path),
      method,
      headers: {
        host: this.#hostOf(kind),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...kind.headers,
      },
      body: body ?? null,
      signal: kind.abandoned ? this.#goneSoon() : AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await response.body.text();
    this.outcomes.answered(name, response.statusCode, performance.now() - dueMs);
    if (response.statusCode === expected) return text;
    this.outcomes.failed(
      name,
      `the status is ${response.statusCode}, not ${expected}: ${text.slice(0, 200)}`,
    );
    return undefined;
  }

  #goneSoon(): AbortSignal {
    const gone = new AbortController();
    setTimeout(() => gone.abort(GONE), this.numbers(MAX_ABANDONED_AFTER_MS));
    return gone.signal;
  }

  #hostOf({ host }: RequestKind): string {
    if (host === undefined) return GATEWAY_HOST;
    const port = host === 'stranger' ? 1 : this.network[host].port;
    return `ip-127-0-0-1-p${port}.${GATEWAY_HOST}`;
  }
}
