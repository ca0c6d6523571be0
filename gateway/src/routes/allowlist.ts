import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import ipaddr from 'ipaddr.js';
import { type Static, Type } from 'typebox';
import { RequestError } from '../base/errors.js';
import { addressOf, type NodeAddress, type NodeRole, nodeKey } from '../base/node-address.js';
import type { GatewayContext } from '../gateway-context.js';
import { ADDRESS, NODE, SOURCE } from '../openapi/records.js';
import { ADMIN_KEY } from './admin.js';
import { viewNode } from './status.js';

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
  },
  { additionalProperties: false },
);
type Entry = Static<typeof ENTRY>;

const LIST = { allowlist: Type.Array(Type.Object({ ...NODE, source: SOURCE })) };
const LIST_SCHEMA = {
  operationId: 'allowlist',
  summary: 'List admitted nodes',
  response: { 200: Type.Object(LIST) },
};

/** The schema of a route that changes the list. Its answer has the list, and whether the node was `changed`. */
function changeSchema(operationId: string, summary: string, changed: string) {
  const fields = { success: Type.Literal(true), [changed]: Type.Boolean(), ...LIST };
  return { operationId, summary, security: ADMIN_KEY, body: ENTRY, response: { 200: Type.Object(fields) } };
}
const ADD_SCHEMA = changeSchema('addNode', 'Admit a node', 'added');
const REMOVE_SCHEMA = changeSchema('removeNode', 'Remove a node, whatever listed it', 'removed');
const REFRESH_SCHEMA = {
  operationId: 'refreshNodes',
  summary: 'Reload the registry and check every node',
  security: ADMIN_KEY,
  response: { 200: Type.Object({ success: Type.Literal(true), ...LIST }) },
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
  const list = () => nodes.nodes().map(node => ({ ...viewNode(node), source: node.source }));
  app.get('/gateway/allowlist', { schema: LIST_SCHEMA }, () => ({ allowlist: list() }));
  const add = { onRequest, schema: ADD_SCHEMA };
  app.post<{ Body: Entry }>('/gateway/allowlist/add', add, async ({ body }) => {
    const added = await addNode(context, findAddress(body, context), body.role);
    return { success: true, added, allowlist: list() };
  });
  const remove = { onRequest, schema: REMOVE_SCHEMA };
  app.post<{ Body: Entry }>('/gateway/allowlist/remove', remove, async ({ body }) => {
    const address = findAddress(body, context);
    const removed = nodes.find(address) !== undefined;
    await context.allowlist.remove(address);
    await nodes.refresh();
    return { success: true, removed, allowlist: list() };
  });
  app.post('/gateway/allowlist/refresh', { onRequest, schema: REFRESH_SCHEMA }, async () => {
    await nodes.refresh();
    return { success: true, allowlist: list() };
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
