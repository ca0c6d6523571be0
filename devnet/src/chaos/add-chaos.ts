import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { asksOneNode, sendError } from '@zbc-signer/gateway/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Chaos } from './chaos.js';
import { type Falsify, falsifyInfo, falsifyReceipt, rewrite } from './false-answer.js';
import { drawRequestFaults, Random, type RequestFaults, randomSeed } from './request-faults.js';

const CHAIN_ROUTES = '/api/v1/';
const BROADCAST = '/api/v1/transactions';
const NODE_INFO = '/api/v1/node/info';
const RETRY_AFTER_SECONDS = 1;

/**
 * Injects the faults of `chaos` into the chain routes of a gateway; its other routes are not affected. Must
 * be called before routes are added.
 */
export function addChaos(app: FastifyInstance, chaos: Chaos): void {
  const random = new Random(chaos.seed ?? randomSeed());
  const faultsOf = new WeakMap<FastifyRequest, RequestFaults>();
  const closing = new AbortController();
  // The number of listeners is not limited, because each delayed request adds one.
  setMaxListeners(0, closing.signal);
  app.addHook('preClose', async () => closing.abort());
  app.addHook('onRequest', async (request, reply) => {
    if (pathOf(request).startsWith(CHAIN_ROUTES)) {
      const faults = drawRequestFaults(chaos, random);
      faultsOf.set(request, faults);
      await disturb(request, reply, faults, closing.signal);
      // The node must not compress a body that will be altered.
      if (falsifierOf(chaos, request) !== undefined) delete request.raw.headers['accept-encoding'];
    }
  });
  app.addHook('onSend', async (request, reply, body) => {
    if (isBroadcast(request) && faultsOf.get(request)?.dropAfter && reply.statusCode < 300) {
      request.raw.socket.destroy();
    }
    const falsify = falsifierOf(chaos, request);
    if (falsify === undefined || reply.statusCode >= 300) return body;
    const changed = await rewrite(body, falsify);
    reply.header('content-length', Buffer.byteLength(changed));
    return changed;
  });
}

/** Delays, drops or rejects a request before it is handled. */
async function disturb(
  request: FastifyRequest,
  reply: FastifyReply,
  faults: RequestFaults,
  closing: AbortSignal,
) {
  if (faults.delayMs > 0) {
    // A gateway that is stopping does not wait for the delay.
    await sleep(faults.delayMs, undefined, { signal: closing }).catch(() => undefined);
  }
  if (faults.drop) {
    reply.hijack();
    request.raw.socket.destroy();
  } else if (faults.busy) {
    sendError(reply.header('retry-after', RETRY_AFTER_SECONDS), 503, 'Busy: injected fault');
  }
}

function falsifierOf(chaos: Chaos, request: FastifyRequest): Falsify | undefined {
  if (isBroadcast(request)) return falsifyReceipt(chaos);
  return pathOf(request) === NODE_INFO ? falsifyInfo(chaos, asksOneNode(request)) : undefined;
}

function isBroadcast(request: FastifyRequest): boolean {
  return request.method === 'POST' && pathOf(request) === BROADCAST;
}

function pathOf({ raw }: FastifyRequest): string {
  return (raw.url ?? '').split('?')[0]!;
}
