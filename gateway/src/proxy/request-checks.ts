import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RequestError } from '../base/errors.js';
import type { NodeAddress } from '../base/node-address.js';
import type { KnownNode } from '../nodes/known-node.js';
import type { NodeDirectory } from '../nodes/node-directory.js';
import { isLoop } from './request-headers.js';
import { type HostNames, notServed, parseHost, parseTarget } from './request-target.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The admitted node that the Host header names; null if it names the gateway. */
    namedNode: KnownNode | null;
    /** The error with which the request is rejected; null if it passed the checks. */
    refusal: Error | null;
  }
}

export const CHAIN_PREFIX = '/api/v1/';
/** Maximum number of header lines. Node's limit of a head's bytes does not count separators. */
const MAX_HEADER_LINES = 256;
const CHAIN_METHODS = ['GET', 'HEAD', 'POST'];

/**
 * Checks requests, before all other hooks, for anything that two parsers could read differently.
 * `addRefusals` rejects the requests that fail.
 */
export function addRequestChecks(app: FastifyInstance, names: HostNames, nodes: NodeDirectory): void {
  app.decorateRequest('namedNode', null);
  app.decorateRequest('refusal', null);
  app.addHook('onRequest', (request, reply, done) => {
    try {
      checkRequest(request, reply, names, nodes);
    } catch (error) {
      request.refusal = error as Error;
      reply.header('connection', 'close');
    }
    done();
  });
}

/**
 * Rejects requests that failed the checks. Hooks that are added before this one, such as rate limits, run for
 * these requests too.
 */
export function addRefusals(app: FastifyInstance): void {
  app.addHook('onRequest', ({ refusal }, _reply, done) => {
    if (refusal === null) {
      done();
    } else {
      done(refusal);
    }
  });
}

function checkRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  names: HostNames,
  nodes: NodeDirectory,
): void {
  const { raw, originalUrl } = request;
  const { authority, path } = parseTarget(originalUrl);
  const host = checkLines(raw);
  if (authority !== undefined && authority.toLowerCase() !== host.toLowerCase()) {
    throw new RequestError(400, 'The request target and Host name different hosts');
  }
  const asked = parseHost(host, names, raw.socket.localAddress ?? '');
  if (asked !== 'gateway') request.namedNode = findAdmitted(asked, nodes);
  if (!path.startsWith(CHAIN_PREFIX)) {
    if (asked !== 'gateway') throw new RequestError(404, 'Nodes have no such route');
    return;
  }
  if (!CHAIN_METHODS.includes(raw.method ?? '')) {
    reply.header('allow', CHAIN_METHODS.join(', '));
    throw new RequestError(405, 'Method not allowed');
  }
}

function checkLines(raw: IncomingMessage): string {
  if (raw.rawHeaders.length > 2 * MAX_HEADER_LINES) {
    throw new RequestError(431, `The request has more than ${MAX_HEADER_LINES} header lines`);
  }
  checkVersion(raw);
  checkFraming(raw);
  return requireHost(raw);
}

/**
 * Returns the node if it is admitted and not known to be on another chain; otherwise throws RequestError. A
 * registered node must have passed its last check, because anyone may register an address at which no node
 * runs.
 */
function findAdmitted(asked: NodeAddress, nodes: NodeDirectory): KnownNode {
  const node = nodes.find(asked);
  if (node === undefined || isUnproven(node, nodes)) throw notServed();
  const { genesisHash } = node.health;
  if (genesisHash !== undefined && genesisHash !== nodes.genesisHash()) {
    throw new RequestError(502, 'The node is on another chain');
  }
  return node;
}

function isUnproven({ source, health }: KnownNode, nodes: NodeDirectory): boolean {
  const { answers, genesisHash } = health;
  return (
    source === 'registry' && !(answers && genesisHash !== undefined && genesisHash === nodes.genesisHash())
  );
}

/**
 * Rejects requests that Node's parser accepts: unsupported versions, a request line without a version,
 * chunked encoding in HTTP/1.0 (whose end is uncertain, RFC 9112 §6.1), and expectations that cannot be met.
 */
function checkVersion({ httpVersion, headers }: IncomingMessage): void {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    throw new RequestError(505, 'Use HTTP/1.1');
  }
  if (httpVersion === '1.0' && headers['transfer-encoding'] !== undefined) {
    throw new RequestError(400, 'An HTTP/1.0 request must not be chunked');
  }
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') {
    throw new RequestError(417, 'The only supported expectation is 100-continue');
  }
}

/** Rejects ambiguous framing (RFC 9112 §6.3 and §7.8), coded bodies, upgrades, and loops. */
function checkFraming({ headers, method }: IncomingMessage): void {
  const encoding = headers['transfer-encoding'];
  const length = headers['content-length'];
  if (encoding !== undefined && (length !== undefined || encoding.toLowerCase() !== 'chunked')) {
    throw new RequestError(400, 'The request has an ambiguous body length');
  }
  if ((method === 'GET' || method === 'HEAD') && (encoding !== undefined || Number(length ?? 0) !== 0)) {
    throw new RequestError(400, `A ${method} request must not have a body`);
  }
  const coding = headers['content-encoding'];
  if (method === 'POST' && coding !== undefined && coding.toLowerCase() !== 'identity') {
    throw new RequestError(415, 'The body must have no Content-Encoding');
  }
  if (headers.upgrade !== undefined) throw new RequestError(400, 'The gateway does not support Upgrade');
  if (isLoop(headers))
    throw new RequestError(508, 'The request loops, because a gateway is listed as a node');
}

function requireHost({ rawHeaders }: IncomingMessage): string {
  let host: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue;
    if (host !== undefined) throw new RequestError(400, 'The request has more than one Host');
    host = rawHeaders[index + 1]!;
  }
  if (host === undefined || host === '') throw new RequestError(400, 'The request has no Host');
  return host;
}

/** Whether a request that passed the checks is one for nodes. */
export function isChainRequest({ raw }: FastifyRequest): boolean {
  return raw.url!.startsWith(CHAIN_PREFIX);
}

/** Whether the request's host name asks for one specific node. */
export function asksOneNode(request: FastifyRequest): boolean {
  return Boolean(request.namedNode);
}
