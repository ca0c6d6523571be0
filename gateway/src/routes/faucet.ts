import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { integerOf, parseNodeJson } from '../base/node-json.js';
import { within } from '../base/within.js';
import type { KnownNode } from '../nodes/known-node.js';
import type { NodeDirectory } from '../nodes/node-directory.js';
import { HASH, media, UINT64 } from '../openapi/records.js';
import { readPage, sendPage } from '../pages/page.js';
import { sendAnswer } from '../proxy/chain-response.js';
import type { ChainRouter } from '../proxy/chain-router.js';
import { OWN_HEADERS, pickRequestHeaders } from '../proxy/request-headers.js';

const MAX_WAIT_MS = 2000;
const MAX_ANSWER_BYTES = 65_536;

const SENT = { amount: UINT64, transaction_hash: HASH };
const TOKENS = Type.Array(Type.Object({ token_id: Type.Integer({ format: 'int64' }), ...SENT }));
const PAGE_SCHEMA = {
  operationId: 'faucetPage',
  summary: 'Faucet page of a development network',
  response: { 200: media('text/html') },
};
/** The node reads the body, `{"address": "ZBC_…"}`. */
const PAY_SCHEMA = {
  operationId: 'faucet',
  summary: 'Send coins and tokens of a development network to an address',
  response: {
    200: Type.Object({ success: Type.Literal(true), ...SENT, tokens: TOKENS, block_height: UINT64 }),
  },
};

/**
 * Adds the routes of the faucet, for development networks. `GET /faucet` sends a page. `POST /faucet` is
 * forwarded to a full node, and is answered once archival nodes have the payment.
 */
export function addFaucetRoutes(app: FastifyInstance, nodes: NodeDirectory, router: ChainRouter): void {
  app.get('/faucet', { schema: PAGE_SCHEMA }, async (_request, reply) =>
    sendPage(reply, await readPage('faucet')),
  );
  app.register(async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.post('/faucet', { schema: PAY_SCHEMA }, async (request, reply) => {
      const { answer } = await router.submit({
        method: 'POST',
        path: '/faucet',
        headers: pickRequestHeaders('POST', readable(request.raw.headers)),
        body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
      });
      // The payment may have been made even if the response is unusable, so its status is passed on.
      const body = answer.body.length > MAX_ANSWER_BYTES ? Buffer.alloc(0) : answer.body;
      const height = heightOf(body);
      if (answer.status === 200 && height !== undefined) {
        await waitForArchivals(nodes.routed('archival'), height, router);
      }
      return sendAnswer(reply, { ...answer, body });
    });
  });
}

/** Makes the node send an uncompressed response, because the response is parsed here. */
function readable(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return { ...headers, 'accept-encoding': 'identity' };
}

/**
 * Waits until the archival nodes, which follow with a delay, have the block, so that the client's next read
 * shows the payment.
 */
async function waitForArchivals(
  archivals: readonly KnownNode[],
  height: bigint,
  router: ChainRouter,
): Promise<void> {
  const path = `/api/v1/blocks?from=${height}&limit=1&wait_ms=${MAX_WAIT_MS}`;
  const asked = { method: 'GET', path, headers: OWN_HEADERS } as const;
  // A node's failure is ignored, because the payment has been made.
  const waits = archivals.map(node => router.readFrom(node, asked).catch(() => {}));
  await within(MAX_WAIT_MS, Promise.all(waits), () => []);
}

function heightOf(body: Buffer): bigint | undefined {
  try {
    return integerOf(parseNodeJson(body), 'block_height');
  } catch {
    return undefined;
  }
}
