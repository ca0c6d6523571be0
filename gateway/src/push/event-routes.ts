import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config/config.js';
import { asksForEvents, EVENT_STREAM } from '../http/event-stream.js';
import { createClientNamer } from '../limits/client.js';
import { jsonReading } from '../proxy/chain-reader.js';
import type { ChainRouter } from '../proxy/chain-router.js';
import { BlockFeed, type FeedListener } from './block-feed.js';
import type { BlockHead, BlockHistory } from './block-history.js';
import { type EventStream, EventStreams } from './event-streams.js';
import { StatusFeed, type StatusListener, type TransactionStatus } from './status-feed.js';

const BLOCKS = '/api/v1/blocks';
const STATUS = /^\/api\/v1\/transactions\/([0-9a-f]{64})\/status$/i;
const CONFIRMED = 'confirmed';
/** Interval between heartbeats, below every time limit for a response without progress. */
const HEARTBEAT_MS = 5000;
const RETRY_AFTER_SECONDS = 5;
const HEADERS = {
  'content-type': EVENT_STREAM,
  'cache-control': 'no-store',
  // Without this header, nginx would buffer events.
  'x-accel-buffering': 'no',
};

declare module 'fastify' {
  interface FastifyInstance {
    /** Ends all event streams; clients reconnect. */
    endEvents(): void;
  }
}

interface EventRouteOptions {
  config: Pick<GatewayConfig, 'limits' | 'trustedProxies'>;
  router: ChainRouter;
  history: BlockHistory;
  heartbeatMs?: number;
}

/**
 * Answers a GET of new blocks, or of a transaction's status, with events if the client accepts only events
 * (docs/gateway/routes.md#events). All other requests are left to the other routes.
 */
export function addEventRoutes(
  app: FastifyInstance,
  { config, router, history, heartbeatMs = HEARTBEAT_MS }: EventRouteOptions,
): void {
  const read = jsonReading(router);
  const blocks = new BlockFeed(read, history);
  const statuses = new StatusFeed(blocks, read);
  const { streams: total, streamsPerClient: perClient } = config.limits;
  const streams = new EventStreams({ total, perClient }, heartbeatMs);
  const clientOf = createClientNamer(config.trustedProxies);
  const endEvents = () => {
    streams.close();
    blocks.stop();
  };
  app.decorate('endEvents', endEvents);
  app.addHook('preClose', async () => endEvents());
  // The hook is not async. As an async hook it would resolve with the reply, which is a thenable, when the
  // client leaves, and Fastify would then run the route.
  app.addHook('preHandler', (request, reply, done) => {
    const path = wantsEvents(request) ? request.raw.url!.split('?', 1)[0]! : '';
    const hash = STATUS.exec(path)?.[1]?.toLowerCase();
    if (path !== BLOCKS && hash === undefined) {
      done();
      return;
    }
    reply.header('vary', 'accept');
    if (hash !== undefined && lastEventId(request) === CONFIRMED) {
      reply.code(204).send();
      return;
    }
    let stream: EventStream | undefined;
    const open = (onClose: () => void) => {
      const opened = streams.open(clientOf(request.raw), onClose);
      stream = opened;
      // The client may leave before anything is sent.
      reply.raw.once('close', () => opened.body.destroy());
      return opened;
    };
    const opened = hash === undefined ? openBlocks(request, blocks, open) : openStatus(hash, statuses, open);
    const send = (found: EventStream | undefined) => {
      if (found === undefined) done();
      else if (!reply.raw.destroyed) reply.headers(HEADERS).send(found.body);
    };
    opened.then(send).catch(error => {
      // No stream was opened, because a limit was reached.
      if (stream === undefined) reply.header('retry-after', RETRY_AFTER_SECONDS);
      stream?.body.destroy();
      done(error);
    });
  });
}

type Open = (onClose: () => void) => EventStream;

async function openBlocks(request: FastifyRequest, feed: BlockFeed, open: Open): Promise<EventStream> {
  /** The height up to which the client needs no more blocks; undefined until it is known. */
  let seen: bigint | undefined;
  const send = (head: BlockHead) => {
    if (seen === undefined || head.height <= seen) return;
    seen = head.height;
    stream.send('block', String(head.height), head);
  };
  const listener: FeedListener = { onBlock: ({ head }) => send(head), onReplaced: () => stream.end() };
  const stream = open(() => feed.leave(listener));
  const height = await feed.listen(listener);
  const id = lastEventId(request);
  const resumed = /^\d{1,20}$/.test(id) ? BigInt(id) : height;
  seen = resumed < height ? resumed : height;
  for (const head of feed.after(seen)) send(head);
  return stream;
}

/** Returns undefined if no node knows the transaction; the route for polling then answers. */
async function openStatus(hash: string, feed: StatusFeed, open: Open): Promise<EventStream | undefined> {
  let last: string | undefined;
  const tell = (status: TransactionStatus) => {
    if (status.status === last || last === CONFIRMED) return;
    last = status.status;
    stream.send('status', last, status);
    if (last === CONFIRMED) stream.end();
  };
  const listener: StatusListener = { onStatus: tell, onReplaced: () => stream.end() };
  const stream = open(() => feed.leave(hash, listener));
  const now = await feed.listen(hash, listener);
  if (now === undefined) {
    stream.body.destroy();
    return undefined;
  }
  tell(now);
  return stream;
}

/** Whether the client asks for events. Requests that name a node are passed to that node unchanged. */
function wantsEvents({ method, headers, namedNode }: FastifyRequest): boolean {
  return method === 'GET' && namedNode === null && asksForEvents(headers);
}

function lastEventId({ headers }: FastifyRequest): string {
  const id = headers['last-event-id'];
  return typeof id === 'string' ? id : '';
}
