import { setMaxListeners } from 'node:events';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatJson, parseJson } from '@zbc-signer/chain';
import { asksOneNode, sendError } from '@zbc-signer/gateway/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Chaos, randomSeed } from './chaos.js';

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

type Fields = Record<string, unknown>;
type Falsify = (fields: Fields) => Fields;

/**
 * Returns the function that changes a node/info response. `asksOneNode` is true if the request names a node
 * by its hostname. Returns undefined if nothing is changed.
 */
function falsifyInfo(chaos: Chaos, asksOneNode: boolean): Falsify | undefined {
  const hidesSigning = chaos.noSigningVersion || (chaos.hideSigningVersion && !asksOneNode);
  const namesAnother = chaos.wrongGenesis && !asksOneNode;
  if (!hidesSigning && !namesAnother) return undefined;
  return fields => {
    const { signing_version, signing_tag, ...others } = fields;
    const info = hidesSigning ? others : fields;
    return namesAnother ? { ...info, genesis_hash: alter(info.genesis_hash) } : info;
  };
}

/** Returns the function that changes the response to a broadcast; undefined if nothing is changed. */
function falsifyReceipt({ alteredHash }: Chaos): Falsify | undefined {
  return alteredHash
    ? fields => ({ ...fields, transaction_hash: alter(fields.transaction_hash) })
    : undefined;
}

/** Changes the first digit of a hex string. */
function alter(hex: unknown): unknown {
  return typeof hex === 'string' ? `${hex.startsWith('0') ? '1' : '0'}${hex.slice(1)}` : hex;
}

/** Applies `falsify` to a body that is a JSON object. Returns any other body unchanged. */
async function rewrite(body: unknown, falsify: Falsify): Promise<string> {
  const text = await readText(body);
  try {
    const json = parseJson(text);
    return typeof json === 'object' && json !== null ? formatJson(falsify({ ...json })) : text;
  } catch {
    return text;
  }
}

async function readText(body: unknown): Promise<string> {
  if (body instanceof Readable) return Buffer.concat(await body.toArray()).toString();
  return Buffer.isBuffer(body) ? body.toString() : typeof body === 'string' ? body : '';
}

/** The faults of one request. */
interface RequestFaults {
  delayMs: number;
  drop: boolean;
  busy: boolean;
  dropAfter: boolean;
}

/**
 * Draws the faults of a request. Draws the same number of random values for every request, so that the faults
 * depend only on the request's position.
 */
function drawRequestFaults(
  { drop = 0, busy = 0, dropAfter = 0, delayMs = 0 }: Chaos,
  random: Random,
): RequestFaults {
  const [min, max] = typeof delayMs === 'number' ? [delayMs, delayMs] : delayMs;
  return {
    delayMs: Math.round(min + random.next() * (max - min)),
    drop: random.next() < drop,
    busy: random.next() < busy,
    dropAfter: random.next() < dropAfter,
  };
}

/**
 * Generates numbers from 0 to 1 that a seed reproduces. It is for tests of hosts, not for anything that must
 * be unpredictable.
 */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** Returns the next number of the generator mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
