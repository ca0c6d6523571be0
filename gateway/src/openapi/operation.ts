import type { NodeRole } from '../base/node-address.js';
import { ref, type Schema } from './schema.js';

interface Parameter {
  name: string;
  in: 'path' | 'query';
  description: string;
  required: boolean;
  schema: Schema;
}

type Content = Readonly<Record<string, { schema: Schema }>>;

interface Answer {
  description: string;
  content?: Content;
}

interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: readonly Parameter[];
  requestBody?: { required: boolean; content: Content };
  /** By status. */
  responses: Readonly<Record<string, Answer>>;
  security?: readonly Readonly<Record<string, readonly string[]>>[];
  /** The kinds of nodes that have a chain route. */
  'x-nodes'?: readonly NodeRole[];
}

/** By path, then by method in lower case. */
export type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

export const json = (description: string, schema: Schema): Answer => ({
  description,
  content: { 'application/json': { schema } },
});

export const file = (description: string, type: string): Answer => ({
  description,
  content: { [type]: { schema: { type: 'string' } } },
});

export const inPath = (name: string, schema: Schema, description: string): Parameter => ({
  name,
  in: 'path',
  description,
  required: true,
  schema,
});

export const inQuery = (name: string, schema: Schema, description: string, required = false): Parameter => ({
  name,
  in: 'query',
  description,
  required,
  schema,
});

export const jsonBody = (schema: Schema, required = true) => ({
  required,
  content: { 'application/json': { schema } },
});

/** Error responses by status, each with its reason; all have the same body. */
export function errors(reasons: Readonly<Record<number, string>>): Record<string, Answer> {
  return Object.fromEntries(
    Object.entries(reasons).map(([status, reason]) => [status, json(reason, ref('Error'))]),
  );
}

/** Errors of every route. */
const ERRORS_OF_EVERY_ROUTE = errors({
  400: 'Malformed request or invalid parameter',
  403: 'The host name is neither of this gateway nor of a node on the allowlist',
  414: 'The path is too long',
  429: 'Rate limit of the client exceeded; see Retry-After',
  500: 'Internal error of the gateway',
});

const NODE_ERRORS = errors({
  502: 'The nodes closed the connection or sent an invalid response',
  503: 'No node is available, or the node is overloaded',
  504: 'The nodes did not respond in time',
});

const BODY_ERRORS = errors({
  413: 'The body is larger than 65536 bytes',
  415: 'The body is not application/json',
});

const ADMIN_KEY_ERRORS = errors({ 401: 'Missing or invalid admin key' });

type Route = Omit<Operation, 'responses' | 'x-nodes'> & {
  /** By status, in addition to the errors of its kind of route. */
  answers: Readonly<Record<string, Answer>>;
};

/** A route of the gateway. */
export function ownRoute({ answers, ...operation }: Route): Operation {
  const body = operation.requestBody && BODY_ERRORS;
  return { ...operation, responses: { ...ERRORS_OF_EVERY_ROUTE, ...body, ...answers } };
}

/** A route of the gateway that requires the admin key. */
export function adminRoute({ answers, ...operation }: Route): Operation {
  return {
    ...ownRoute({ ...operation, answers: { ...ADMIN_KEY_ERRORS, ...answers } }),
    security: [{ bearer: [] }, { apiKey: [] }],
  };
}

/** A route of the gateway that reads from nodes. */
export function chainBackedRoute({ answers, ...operation }: Route): Operation {
  return ownRoute({ ...operation, answers: { ...NODE_ERRORS, ...answers } });
}

/** A route that is proxied to these kinds of nodes. */
export function chainRoute(nodes: readonly NodeRole[], route: Route): Operation {
  return { ...chainBackedRoute(route), 'x-nodes': nodes };
}

export const EVERY_NODE: readonly NodeRole[] = ['archival', 'full'];
export const ARCHIVAL_ONLY: readonly NodeRole[] = ['archival'];
export const FULL_ONLY: readonly NodeRole[] = ['full'];
