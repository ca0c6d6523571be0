import { adminRoute, errors, json, jsonBody, ownRoute, type Paths } from '../operation.js';
import { FLAG, IPV4, listOf, oneOf, PORT, record, ref, type Schema, told } from '../schema.js';

const SUCCESS: Schema = { type: 'boolean', const: true };
const ALLOWLIST = { allowlist: listOf(ref('AdmittedNode')) };
const ENTRY = { ip: IPV4, 'port?': told("The gateway's node_port when left out", PORT) };

export const ALLOWLIST_PATHS: Paths = {
  '/gateway/allowlist': {
    get: ownRoute({
      operationId: 'allowlist',
      summary: 'The nodes that are admitted',
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
          record({ success: SUCCESS, added: told('False when it was admitted before', FLAG), ...ALLOWLIST }),
        ),
        ...errors({ 409: "The role is another one by the gateway's configuration" }),
      },
    }),
  },
  '/gateway/allowlist/remove': {
    post: adminRoute({
      operationId: 'removeNode',
      summary: 'Drop a node, whoever admitted it',
      requestBody: jsonBody(record(ENTRY)),
      answers: {
        200: json(
          'Not admitted any more',
          record({ success: SUCCESS, removed: told('False when it was not admitted', FLAG), ...ALLOWLIST }),
        ),
      },
    }),
  },
  '/gateway/allowlist/refresh': {
    post: adminRoute({
      operationId: 'refreshNodes',
      summary: 'Read the registry again and check every node',
      requestBody: jsonBody({}, false),
      answers: { 200: json('Checked', record({ success: SUCCESS, ...ALLOWLIST })) },
    }),
  },
};
