import { adminRoute, errors, json, jsonBody, ownRoute, type Paths } from './operation.js';
import { COUNT, described, FLAG, IPV4, listOf, oneOf, PORT, record, ref, type Schema } from './schema.js';

const SUCCESS: Schema = { type: 'boolean', const: true };
const ALLOWLIST = { allowlist: listOf(ref('AdmittedNode')) };
const ENTRY = { ip: IPV4, 'port?': described("Default: the gateway's node_port", PORT) };
const UNLISTED = { 404: 'The node is not on the allowlist' };

export const ALLOWLIST_PATHS: Paths = {
  '/gateway/allowlist': {
    get: ownRoute({
      operationId: 'allowlist',
      summary: 'List admitted nodes',
      answers: { 200: json('The nodes', record(ALLOWLIST)) },
    }),
  },
  '/gateway/allowlist/add': changeOf({
    operationId: 'addNode',
    summary: 'Admit a node',
    node: { ...ENTRY, 'role?': oneOf('full', 'archival') },
    done: 'Admitted and checked',
    outcome: { added: described('False if it was already admitted', FLAG) },
    refusals: { 409: "The gateway's configuration sets a different role" },
  }),
  '/gateway/allowlist/remove': changeOf({
    operationId: 'removeNode',
    summary: 'Remove a node from any source',
    done: 'Removed',
    outcome: { removed: described('False if it was not admitted', FLAG) },
  }),
  '/gateway/allowlist/cordon': changeOf({
    operationId: 'cordonNode',
    summary: 'Send a node no more requests',
    done: 'Cordoned',
    outcome: { cordoned: described('False if it already was', FLAG) },
    refusals: UNLISTED,
  }),
  '/gateway/allowlist/uncordon': changeOf({
    operationId: 'uncordonNode',
    summary: 'Send a cordoned node requests again',
    done: 'Not cordoned any more',
    outcome: { uncordoned: described('False if it was not cordoned', FLAG) },
    refusals: UNLISTED,
  }),
  '/gateway/allowlist/drain': changeOf({
    operationId: 'drainNode',
    summary: 'Cordon a node and wait until its requests have ended',
    done: 'Cordoned',
    outcome: {
      drained: described('Whether no request runs any more; false after 20 seconds', FLAG),
      running: described('Requests that still run', COUNT),
    },
    refusals: UNLISTED,
  }),
  '/gateway/allowlist/refresh': {
    post: adminRoute({
      operationId: 'refreshNodes',
      summary: 'Reload the registry and check every node',
      requestBody: jsonBody({}, false),
      answers: { 200: json('Checked', record({ success: SUCCESS, ...ALLOWLIST })) },
    }),
  },
};

interface NodeChange {
  operationId: string;
  summary: string;
  /** Default: an address alone. */
  node?: Readonly<Record<string, Schema>>;
  done: string;
  outcome: Readonly<Record<string, Schema>>;
  refusals?: Readonly<Record<number, string>>;
}

/** A route that changes one node and answers with the whole list. */
function changeOf({ operationId, summary, node = ENTRY, done, outcome, refusals = {} }: NodeChange) {
  return {
    post: adminRoute({
      operationId,
      summary,
      requestBody: jsonBody(record(node)),
      answers: {
        200: json(done, record({ success: SUCCESS, ...outcome, ...ALLOWLIST })),
        ...errors(refusals),
      },
    }),
  };
}
