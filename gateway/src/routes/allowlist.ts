import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { parseEntry, parseRole } from '../allowlist/allowlist-entry.js';
import { RequestError } from '../base/errors.js';
import type { NodeAddress, NodeRole } from '../base/node-address.js';
import type { GatewayContext } from '../gateway-context.js';
import { parseBody } from '../http/json-app.js';
import type { NodeDirectory } from '../upstream/node-directory.js';

/**
 * `/gateway/allowlist`, which is public, and its three writes behind `onRequest`, the check of the admin key.
 */
export function addAllowlistRoutes(
  app: FastifyInstance,
  context: GatewayContext,
  onRequest: onRequestAsyncHookHandler,
): void {
  const { nodes, config } = context;
  app.get('/gateway/allowlist', () => viewAllowlist(nodes));
  app.post('/gateway/allowlist/add', { onRequest }, async ({ body }) => {
    const added = await addNode(context, parseEntry(body, config.nodePort), parseRole(body));
    return { success: true, added, ...viewAllowlist(nodes) };
  });
  app.post('/gateway/allowlist/remove', { onRequest }, async ({ body }) => {
    const removed = await removeNode(context, parseEntry(body, config.nodePort));
    return { success: true, removed, ...viewAllowlist(nodes) };
  });
  app.register(async scope => {
    takeEmptyBody(scope);
    scope.post('/gateway/allowlist/refresh', { onRequest }, async () => {
      await nodes.refresh();
      return { success: true, ...viewAllowlist(nodes) };
    });
  });
}

function viewAllowlist(nodes: NodeDirectory) {
  return {
    allowlist: nodes.nodes().map(({ ip, port, role, source, health }) => ({
      ip,
      port,
      role,
      source,
      answers: health.answers,
    })),
  };
}

/** Whether the node is new; resolves after its check, or while it is silent. */
async function addNode(
  { nodes, allowlist }: GatewayContext,
  address: NodeAddress,
  role: NodeRole | undefined,
): Promise<boolean> {
  const known = nodes.find(address);
  if (known?.source === 'static') {
    if (role !== undefined && role !== known.role) {
      throw new RequestError(409, `the gateway's configuration sets this node's role to "${known.role}"`);
    }
    return false;
  }
  await allowlist.add({ ...address, role: role ?? known?.role ?? 'full' });
  await nodes.refresh();
  return known === undefined;
}

/** Whether the node was admitted; it stays removed even if registry or configuration list it. */
async function removeNode({ nodes, allowlist }: GatewayContext, address: NodeAddress): Promise<boolean> {
  const known = nodes.find(address);
  await allowlist.remove(address);
  await nodes.refresh();
  return known !== undefined;
}

/** Accepts an empty body with a JSON content type. */
function takeEmptyBody(scope: FastifyInstance): void {
  scope.removeContentTypeParser('application/json');
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: unknown, body: Buffer) => (body.length === 0 ? undefined : parseBody(body)),
  );
}
