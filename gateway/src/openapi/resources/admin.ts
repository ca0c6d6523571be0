import { adminRoute, file, json, type Paths } from '../operation.js';
import {
  COUNT,
  described,
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
  UINT64,
} from '../schema.js';

const NODE = record({
  ip: IPV4,
  port: PORT,
  role: oneOf('full', 'archival'),
  source: oneOf('static', 'admin', 'registry'),
  answers: FLAG,
  routed: described('Answers, is on the chain that is routed to and not too far behind', FLAG),
  'fault?': described('Why it does not answer', TEXT),
  'genesis_hash?': HASH,
  'height?': described('Decimal digits', TEXT),
  'behind?': described(
    'Blocks behind the best node, if it is asked last or not at all; decimal digits',
    TEXT,
  ),
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
      summary: 'Data of the admin page',
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
              answers: described('By the first digit of the status', {
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
