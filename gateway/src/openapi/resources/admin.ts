import { adminRoute, file, json, type Paths } from '../operation.js';
import {
  COUNT,
  FLAG,
  HASH,
  IPV4,
  listOf,
  NUMBER,
  oneOf,
  PORT,
  record,
  ref,
  TEXT,
  told,
  UINT64,
} from '../schema.js';

const NODE = record({
  ip: IPV4,
  port: PORT,
  role: oneOf('full', 'archival'),
  source: oneOf('static', 'admin', 'registry'),
  answers: FLAG,
  routed: told('It answers and is on the chain that is routed to', FLAG),
  'fault?': told('Why it does not answer', TEXT),
  'genesis_hash?': HASH,
  'height?': told('In digits', TEXT),
  'latency_ms?': NUMBER,
  requests: UINT64,
  failures: UINT64,
});

export const ADMIN_PATHS: Paths = {
  '/admin': {
    get: adminRoute({
      operationId: 'adminPage',
      summary: 'The admin page',
      answers: { 200: file('The page', 'text/html') },
    }),
  },
  '/admin/state': {
    get: adminRoute({
      operationId: 'adminState',
      summary: 'What the admin page shows',
      answers: {
        200: json(
          'Gateway, nodes, traffic and machine',
          record({
            gateway: record({
              domain: TEXT,
              mode: oneOf('public', 'private'),
              version: TEXT,
              uptime_seconds: UINT64,
              'genesis_hash?': HASH,
            }),
            nodes: listOf(NODE),
            traffic: record({
              requests: UINT64,
              answers: told('By the first digit of the status', {
                type: 'object',
                additionalProperties: COUNT,
              }),
              bytes_out: UINT64,
            }),
            system: ref('SystemStats'),
          }),
        ),
      },
    }),
  },
};
