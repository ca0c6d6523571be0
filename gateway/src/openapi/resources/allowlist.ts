import { adminRoute, errors, json, jsonBody, ownRoute, type Paths } from '../operation.js';
import { COUNT, described, FLAG, IPV4, listOf, oneOf, PORT, record, ref, type Schema } from '../schema.js';

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
  '/gateway/allowlist/cordon': {
    post: adminRoute({
      operationId: 'cordonNode',
      summary: 'Send a node no more requests',
      requestBody: jsonBody(record(ENTRY)),
      answers: {
        200: json(
          'Cordoned',
          record({
            success: SUCCESS,
            cordoned: described('False if it already was', FLAG),
            ...ALLOWLIST,
          }),
        ),
        ...errors({ 404: 'The node is not on the allowlist' }),
      },
    }),
  },
  '/gateway/allowlist/uncordon': {
    post: adminRoute({
      operationId: 'uncordonNode',
      summary: 'Send a cordoned node requests again',
      requestBody: jsonBody(record(ENTRY)),
      answers: {
        200: json(
          'Not cordoned any more',
          record({
            success: SUCCESS,
            uncordoned: described('False if it was not cordoned', FLAG),
            ...ALLOWLIST,
          }),
        ),
        ...errors({ 404: 'The node is not on the allowlist' }),
      },
    }),
  },
  '/gateway/allowlist/drain': {
    post: adminRoute({
      operationId: 'drainNode',
      summary: 'Cordon a node and wait until its requests have ended',
      requestBody: jsonBody(record(ENTRY)),
      answers: {
        200: json(
          'Cordoned',
          record({
            success: SUCCESS,
            drained: described('Whether no request runs any more; false after 20 seconds', FLAG),
            running: described('Requests that still run', COUNT),
            ...ALLOWLIST,
          }),
        ),
        ...errors({ 404: 'The node is not on the allowlist' }),
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
