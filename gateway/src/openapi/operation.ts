import type { NodeRole } from '../upstream/node-address.js';
import { ref, type Schema } from './schema.js';

export interface Parameter {
  name: string;
  in: 'path' | 'query';
  description: string;
  required: boolean;
  schema: Schema;
}

type Content = Readonly<Record<string, { schema: Schema }>>;

export interface Answer {
  description: string;
  content?: Content;
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: readonly Parameter[];
  requestBody?: { required: boolean; content: Content };
  /** By status. */
  responses: Readonly<Record<string, Answer>>;
  security?: readonly Readonly<Record<string, readonly string[]>>[];
  /** Which kinds of nodes have a chain route. */
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

/** Error answers, each with the reason for its status; all have the same body. */
export function errors(reasons: Readonly<Record<number, string>>): Record<string, Answer> {
  return Object.fromEntries(
    Object.entries(reasons).map(([status, reason]) => [status, json(reason, ref('Error'))]),
  );
}

/** What any route may answer before it looks at what is asked. */
const BEFORE_ANY_ROUTE = errors({
  400: 'The request cannot be read, or a parameter is wrong',
  403: 'The host name is not one of this gateway, or names a node that is not on the allowlist',
  414: 'The path is too long',
  429: 'Too many requests of one client; Retry-After says when to come back',
  500: 'A fault of the gateway',
});

const OF_THE_NODES = errors({
  502: 'The nodes that were asked broke the connection or gave no valid answer',
  503: 'No node can be asked now, or the node is under load',
  504: 'The nodes that were asked did not answer in time',
});

const OF_A_BODY = errors({
  413: 'The body is larger than 65536 bytes',
  415: 'The body is not application/json',
});

const OF_THE_ADMIN_KEY = errors({ 401: 'The admin key is missing or wrong' });

type Told = Omit<Operation, 'responses' | 'x-nodes'> & {
  /** By status, beside the errors that come with the kind of route. */
  answers: Readonly<Record<string, Answer>>;
};

/** A route that the gateway answers itself. */
export function ownRoute({ answers, ...operation }: Told): Operation {
  const body = operation.requestBody && OF_A_BODY;
  return { ...operation, responses: { ...BEFORE_ANY_ROUTE, ...body, ...answers } };
}

/** A route of the gateway for whoever has the admin key. */
export function adminRoute({ answers, ...operation }: Told): Operation {
  return {
    ...ownRoute({ ...operation, answers: { ...OF_THE_ADMIN_KEY, ...answers } }),
    security: [{ bearer: [] }, { apiKey: [] }],
  };
}

/** A route of the gateway that asks the nodes for its answer. */
export function chainBackedRoute({ answers, ...operation }: Told): Operation {
  return ownRoute({ ...operation, answers: { ...OF_THE_NODES, ...answers } });
}

/** A route that these kinds of nodes have and the gateway proxies. */
export function chainRoute(nodes: readonly NodeRole[], told: Told): Operation {
  return { ...chainBackedRoute(told), 'x-nodes': nodes };
}

export const EVERY_NODE: readonly NodeRole[] = ['archival', 'full'];
export const ARCHIVAL_ONLY: readonly NodeRole[] = ['archival'];
export const FULL_ONLY: readonly NodeRole[] = ['full'];
