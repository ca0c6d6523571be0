import { adminRoute, errors, json, jsonBody, ownRoute, type Paths } from '../operation.js';
import { described, FLAG, IPV4, listOf, oneOf, PORT, record, ref, type Schema } from '../schema.js';

const SUCCESS: Schema = { type: 'boolean', const: true };
const ALLOWLIST = { allowlist: listOf(ref('AdmittedNode')) };
const ENTRY = { ip: IPV4, 'port?': described("Default: the gateway's node_port", PORT) };

export const ALLOWLIST_PATHS: Paths = {
  '/gateway/allowlist': {
    get: ownRoute({
      operationId: 'allowlist',
      summary: 'List admitted nodes',
      answers: { 200: json('The nodes', record(ALLOWLIST)) },
    }),
  },
  '/gateway/allowlist/add': {
    post: adminRoute({
      operationId: 'addNode',
      summary: 'Admit a node',
      requestBody: jsonBody(record({ ...ENTRY, 'role?': oneOf('full', 'archival') })),
      answers: {
        200: json(
          'Admitted and checked',
          record({
            success: SUCCESS,
            added: described('False if it was already admitted', FLAG),
            ...ALLOWLIST,
          }),
        ),
        ...errors({ 409: "The gateway's configuration sets a different role" }),
      },
    }),
  },
  '/gateway/allowlist/remove': {
    post: adminRoute({
      operationId: 'removeNode',
      summary: 'Remove a node from any source',
      requestBody: jsonBody(record(ENTRY)),
      answers: {
        200: json(
          'Removed',
          record({
            success: SUCCESS,
            removed: described('False if it was not admitted', FLAG),
            ...ALLOWLIST,
          }),
        ),
      },
    }),
  },
  '/gateway/allowlist/refresh': {
    post: adminRoute({
      operationId: 'refreshNodes',
      summary: 'Reload the registry and check every node',
      requestBody: jsonBody({}, false),
      answers: { 200: json('Checked', record({ success: SUCCESS, ...ALLOWLIST })) },
    }),
  },
};
