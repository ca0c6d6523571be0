import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { parseEntry, parseRole } from '../allowlist/allowlist-entry.js';
import { ConfigError, RequestError } from '../base/errors.js';
import { type NodeAddress, type NodeRole, nodeKey } from '../base/node-address.js';
import type { GatewayContext } from '../gateway-context.js';
import type { NodeDirectory } from '../nodes/node-directory.js';
import { viewNode } from './status.js';

/**
 * Maximum time that `drain` waits; longer than the time limit of a buffered response, but shorter than that
 * of a streamed one.
 */
const DRAIN_MS = 20_000;
const LOOK_MS = 100;

/**
 * Adds `GET /gateway/allowlist`, which is public, and the routes that change the list. `onRequest` checks the
 * admin key for these.
 */
export function addAllowlistRoutes(
  app: FastifyInstance,
  context: GatewayContext,
  onRequest: onRequestAsyncHookHandler,
): void {
  const { nodes, config } = context;
  app.get('/gateway/allowlist', () => viewAllowlist(nodes));
  const addChange = (name: string, change: (address: NodeAddress, body: unknown) => Promise<object>) =>
    app.post(`/gateway/allowlist/${name}`, { onRequest }, async ({ body }) => {
      const outcome = await change(parseEntry(body, config.nodePort), body);
      return { success: true, ...outcome, ...viewAllowlist(nodes) };
    });
  addChange('add', async (address, body) => ({ added: await addNode(context, address, parseRole(body)) }));
  addChange('remove', async address => ({ removed: await removeNode(context, address) }));
  addChange('cordon', async address => ({ cordoned: await setCordon(context, address, true) }));
  addChange('uncordon', async address => ({ uncordoned: await setCordon(context, address, false) }));
  addChange('drain', async address => {
    await setCordon(context, address, true);
    const running = await untilIdle(context, address);
    return { drained: running === 0, running };
  });
  app.post('/gateway/allowlist/refresh', { onRequest }, async () => {
    await nodes.refresh().catch(error => {
      throw refusalOf(error, context);
    });
    return { success: true, ...viewAllowlist(nodes) };
  });
}

/** Reports an unusable state file to the administrator and in the log. */
function refusalOf(error: unknown, { onError }: GatewayContext): unknown {
  if (!(error instanceof ConfigError)) return error;
  onError(error);
  return new RequestError(503, error.message);
}

function viewAllowlist(nodes: NodeDirectory) {
  return { allowlist: nodes.nodes().map(node => ({ ...viewNode(node), source: node.source })) };
}

/** Admits a node. Returns whether it is new. Resolves after its check, or earlier if it does not answer. */
async function addNode(
  { nodes, allowlist, config }: GatewayContext,
  address: NodeAddress,
  role: NodeRole | undefined,
): Promise<boolean> {
  const known = nodes.find(address);
  // A configured node that an administrator removed keeps its role.
  const configured = config.staticNodes.find(node => nodeKey(node) === nodeKey(address));
  const listedRole = configured?.role ?? known?.role;
  if (listedRole !== undefined && role !== undefined && role !== listedRole) {
    const remedy = configured === undefined ? 'remove it first' : 'change static_nodes';
    throw new RequestError(409, `The node is listed with the role "${listedRole}"; ${remedy}`);
  }
  if (known?.source === 'static') return false;
  await allowlist.add({ ...address, role: role ?? listedRole ?? 'full' });
  await nodes.refresh();
  return known === undefined;
}

/**
 * Removes a node. Returns whether the node was admitted. The node stays removed even if the registry or the
 * configuration lists it.
 */
async function removeNode({ nodes, allowlist }: GatewayContext, address: NodeAddress): Promise<boolean> {
  const known = nodes.find(address);
  await allowlist.remove(address);
  await nodes.refresh();
  return known !== undefined;
}

/**
 * Cordons or uncordons a node. Returns whether this changed its state. Throws RequestError 404 if it is not
 * admitted.
 */
async function setCordon(
  { nodes, allowlist }: GatewayContext,
  address: NodeAddress,
  isCordoned: boolean,
): Promise<boolean> {
  const node = nodes.find(address);
  if (node === undefined) throw new RequestError(404, 'The node is not on the allowlist');
  const { isCordoned: wasCordoned } = node;
  await (isCordoned ? allowlist.cordon(address) : allowlist.uncordon(address));
  await nodes.follow();
  return wasCordoned !== isCordoned;
}

/**
 * Waits until this gateway has no running requests to the node, at most DRAIN_MS. Returns how many still run.
 */
async function untilIdle({ traffic }: GatewayContext, address: NodeAddress): Promise<number> {
  const endMs = performance.now() + DRAIN_MS;
  for (;;) {
    const { nodes } = traffic.counts();
    const running = nodes.find(node => nodeKey(node) === nodeKey(address))?.running ?? 0;
    if (running === 0 || performance.now() >= endMs) return running;
    await pause(LOOK_MS);
  }
}
