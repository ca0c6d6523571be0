import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RequestError } from '../base/errors.js';
import type { GatewayConfig } from '../config/config.js';
import { release } from '../http/connections.js';
import { clientNaming } from './client.js';

const RETRY_AFTER_SECONDS = 1;

/** Counts the requests that run at the same time. */
class RunningRequests {
  readonly #mostOfClient: number;
  readonly #mostOfChain: number;
  readonly #ofClient = new Map<string, number>();
  #ofChain = 0;

  constructor({ requests, requestsPerClient }: GatewayConfig['limits']) {
    this.#mostOfClient = requestsPerClient || Infinity;
    this.#mostOfChain = requests || Infinity;
  }

  /** Why one more cannot run: 429 past the client's limit, 503 past that of all chain routes. */
  refusal(client: string, isChain: boolean): RequestError | undefined {
    if ((this.#ofClient.get(client) ?? 0) >= this.#mostOfClient) {
      return new RequestError(
        429,
        `Too many requests at once from your address: ${this.#mostOfClient} allowed`,
      );
    }
    return isChain && this.#ofChain >= this.#mostOfChain
      ? new RequestError(503, 'The gateway is overloaded')
      : undefined;
  }

  begin(client: string, isChain: boolean): void {
    this.#ofClient.set(client, (this.#ofClient.get(client) ?? 0) + 1);
    this.#ofChain += Number(isChain);
  }

  end(client: string, isChain: boolean): void {
    release(this.#ofClient, client);
    this.#ofChain -= Number(isChain);
  }
}

/** Limits running requests. One runs until its response was sent or its connection closed. */
export function addRunningLimits(
  app: FastifyInstance,
  { limits, trustedProxies }: Pick<GatewayConfig, 'limits' | 'trustedProxies'>,
  isChainRoute: (request: FastifyRequest) => boolean,
): void {
  const running = new RunningRequests(limits);
  const clientOf = clientNaming(trustedProxies);
  app.addHook('onRequest', (request, reply, done) => {
    const client = clientOf(request.raw);
    const isChain = isChainRoute(request);
    const refusal = running.refusal(client, isChain);
    if (refusal === undefined) {
      running.begin(client, isChain);
      reply.raw.once('close', () => running.end(client, isChain));
      done();
    } else {
      done(retryLater(reply, refusal));
    }
  });
}

function retryLater(reply: FastifyReply, refusal: RequestError): RequestError {
  reply.header('retry-after', RETRY_AFTER_SECONDS);
  return refusal;
}
