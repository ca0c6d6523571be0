import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import ipaddr from 'ipaddr.js';
import { type Static, type TProperties, Type } from 'typebox';
import { ConfigError, RequestError } from '../base/errors.js';
import { addressOf, type NodeAddress, type NodeRole, nodeKey } from '../base/node-address.js';
import type { GatewayContext } from '../gateway-context.js';
import type { NodeDirectory } from '../nodes/node-directory.js';
import { ADDRESS, COUNT, NODE, refusal, SOURCE } from '../openapi/records.js';
import { ADMIN_KEY } from './admin.js';
import { viewNode } from './status.js';

/**
 * Maximum time that `drain` waits; longer than the time limit of a buffered response, but shorter than that
 * of a streamed one.
 */
const DRAIN_MS = 20_000;
const LOOK_MS = 100;

/** Ranges whose addresses never belong to a single machine. */
const NOT_UNICAST = new Set(['unspecified', 'broadcast', 'multicast']);

/** A node in a request. Of an entry of the list that is sent back unchanged, only address and role are read. */
const ENTRY = Type.Object(
  {
    ip: Type.Optional(ADDRESS.ip),
    host: NODE.host,
    port: Type.Optional(ADDRESS.port),
    role: Type.Optional(NODE.role),
    source: Type.Optional(SOURCE),
    answers: Type.Optional(Type.Boolean()),
    cordoned: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
type Entry = Static<typeof ENTRY>;

const LIST = { allowlist: Type.Array(Type.Object({ ...NODE, source: SOURCE })) };
const LIST_SCHEMA = {
  operationId: 'allowlist',
  summary: 'List admitted nodes',
  response: { 200: Type.Object(LIST, { description: 'The nodes' }) },
};

/** The schema of a route that changes the list and reports the outcome with the whole list. */
function changeSchema(operationId: string, summary: string, outcome: TProperties = {}) {
  const description = 'The outcome and the list';
  return {
    operationId,
    summary,
    security: ADMIN_KEY,
    response: {
      200: Type.Object({ success: Type.Literal(true), ...outcome, ...LIST }, { description }),
      404: refusal('The node is not on the allowlist'),
      409: refusal('The node is listed with another role, or the list is full'),
      503: refusal('The state file is unusable'),
    },
  };
}

const WAS_CHANGED = Type.Boolean({ description: 'Whether this changed the list' });
const CHANGES: Readonly<Record<string, readonly [summary: string, outcome: TProperties]>> = {
  add: ['Admit a node', { added: WAS_CHANGED }],
  remove: [
    'Remove a node, whether configuration, administrator or registry listed it',
    { removed: WAS_CHANGED },
  ],
  cordon: ['Stop sending requests to a node', { cordoned: WAS_CHANGED }],
  uncordon: ['Send a cordoned node requests again', { uncordoned: WAS_CHANGED }],
  drain: [
    'Cordon a node and wait until its requests have ended, at most 20 seconds',
    { drained: Type.Boolean({ description: 'Whether all requests have ended' }), running: COUNT },
  ],
};

/**
 * Adds `GET /gateway/allowlist`, which is public, and the routes that change the list. `onRequest` checks the
 * admin key for these.
 */
export function addAllowlistRoutes(
  app: FastifyInstance,
  context: GatewayContext,
  onRequest: onRequestAsyncHookHandler,
): void {
  const { nodes } = context;
  app.get('/gateway/allowlist', { schema: LIST_SCHEMA }, () => viewAllowlist(nodes));
  const addChange = (name: string, change: (address: NodeAddress, entry: Entry) => Promise<object>) => {
    const [summary, outcome] = CHANGES[name]!;
    const schema = { ...changeSchema(`${name}Node`, summary, outcome), body: ENTRY };
    app.post<{ Body: Entry }>(`/gateway/allowlist/${name}`, { onRequest, schema }, async ({ body }) => {
      const changed = await change(findAddress(body, context), body);
      return { success: true, ...changed, ...viewAllowlist(nodes) };
    });
  };
  addChange('add', async (address, { role }) => ({ added: await addNode(context, address, role) }));
  addChange('remove', async address => ({ removed: await removeNode(context, address) }));
  addChange('cordon', async address => ({ cordoned: await setCordon(context, address, true) }));
  addChange('uncordon', async address => ({ uncordoned: await setCordon(context, address, false) }));
  addChange('drain', async address => {
    await setCordon(context, address, true);
    const running = await untilIdle(context, address);
    return { drained: running === 0, running };
  });
  const schema = changeSchema('refreshNodes', 'Reload the registry and check every node');
  app.post('/gateway/allowlist/refresh', { onRequest, schema }, async () => {
    await nodes.refresh().catch(error => {
      throw refusalOf(error, context);
    });
    return { success: true, ...viewAllowlist(nodes) };
  });
}

/**
 * Returns the address of an entry. A named node is found by its name or by its present address. Throws RequestError
 * 400 if the address cannot be that of a node, and 404 if the configuration does not list its name. Only the
 * configuration admits IPv6 addresses.
 */
function findAddress({ ip, port, host }: Entry, { nodes, config }: GatewayContext): NodeAddress {
  if (host !== undefined) {
    const listed = [...nodes.nodes(), ...config.staticNodes];
    const named = listed.find(node => node.host === host && node.port === (port ?? config.nodePort));
    if (named === undefined) throw new RequestError(404, 'static_nodes does not list this host and port');
    return addressOf(named);
  }
  if (ip === undefined) throw new RequestError(400, 'ip is missing: give ip, or the host of a named node');
  const parsed = ipaddr.parse(ip);
  if (NOT_UNICAST.has(parsed.range())) throw new RequestError(400, 'ip must be a unicast address');
  const address = { ip: parsed.toString(), port: port ?? config.nodePort };
  const known = nodes.find(address) ?? config.staticNodes.find(node => nodeKey(node) === nodeKey(address));
  if (known === undefined && parsed.kind() === 'ipv6')
    throw new RequestError(400, 'ip must be an IPv4 address');
  return addressOf(known ?? address);
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
