import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { integerOf, parseNodeJson } from '../base/node-json.js';
import type { KnownNode, NodeDirectory } from '../nodes/node-directory.js';
import { readPage, sendPage } from '../pages/page.js';
import { responseOf, sendResponse } from '../proxy/chain-response.js';
import type { ChainRouter } from '../proxy/chain-router.js';
import { OWN_HEADERS, pickRequestHeaders } from '../proxy/request-headers.js';
import { collect } from '../upstream/response-body.js';

const MAX_WAIT_MS = 2000;
const POLL_MS = 40;
const MAX_ANSWER_BYTES = 65_536;

/**
 * For development networks: `GET /faucet` is a page, `POST /faucet` goes to a full node and is answered once
 * archival nodes have the payment.
 */
export function addFaucetRoutes(app: FastifyInstance, nodes: NodeDirectory, router: ChainRouter): void {
  app.get('/faucet', async (_request, reply) => sendPage(reply, await readPage('faucet')));
  app.register(async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.post('/faucet', async (request, reply) => {
      const { answer } = await router.submit({
        method: 'POST',
        path: '/faucet',
        headers: pickRequestHeaders('POST', readable(request.raw.headers)),
        body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
      });
      const body = (await collect(answer, MAX_ANSWER_BYTES)) ?? Buffer.alloc(0);
      const height = heightOf(body, 'block_height');
      if (answer.status === 200 && height !== undefined) {
        await waitForArchivals(nodes.routed('archival'), height, router);
      }
      return sendResponse(reply, responseOf({ ...answer, body, contentLength: body.length }));
    });
  });
}

/** Asks for an uncompressed response, since it is parsed here. */
function readable(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return { ...headers, 'accept-encoding': 'identity' };
}

/** Reads go to archival nodes, which follow with a delay: the next read should show the payment. */
async function waitForArchivals(
  archivals: readonly KnownNode[],
  height: bigint,
  router: ChainRouter,
): Promise<void> {
  const endMs = performance.now() + MAX_WAIT_MS;
  const hasIt = async (node: KnownNode) => (await readHeight(node, router)) >= height;
  const waitFor = async (node: KnownNode) => {
    while (performance.now() < endMs && !(await hasIt(node))) await pause(POLL_MS);
  };
  // A failure of a node is ignored: the payment has been made.
  const all = Promise.all(archivals.map(node => waitFor(node).catch(() => {})));
  await Promise.race([pause(MAX_WAIT_MS, undefined, { ref: false }), all]);
}

async function readHeight(node: KnownNode, router: ChainRouter): Promise<bigint> {
  const asked = { method: 'GET', path: '/api/v1/node/info', headers: OWN_HEADERS } as const;
  const { answer } = await router.readFrom(node, asked);
  const body = await collect(answer, MAX_ANSWER_BYTES);
  return heightOf(body ?? Buffer.alloc(0), 'height') ?? 0n;
}

function heightOf(body: Buffer, name: string): bigint | undefined {
  try {
    return integerOf(parseNodeJson(body), name);
  } catch {
    return undefined;
  }
}
