import { adminRoute, errors, file, json, jsonBody, type Paths } from './operation.js';
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
} from './schema.js';

const NODE = record({
  ip: IPV4,
  port: PORT,
  role: oneOf('full', 'archival'),
  source: oneOf('static', 'admin', 'registry'),
  answers: FLAG,
  routed: described('Answers, is on the chain that is routed to and not too far behind', FLAG),
  'cordon?': described(
    'Who took it out: an administrator, or the gateway for a lie',
    oneOf('admin', 'disagreement'),
  ),
  broken: described('Poor answers in a row have put it last for a while', FLAG),
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
  running: described('Requests that have not ended yet', UINT64),
});

const COUNTS = listOf(COUNT);
const MEASURES = listOf({ anyOf: [NUMBER, { type: 'null' }] });

const HISTORY = described(
  'The last hour of all workers: a value for every step, the oldest first',
  record({
    step_seconds: COUNT,
    answers: described('By the first digit of the status', { type: 'object', additionalProperties: COUNTS }),
    p50_ms: described('Half of the requests took no longer', MEASURES),
    p99_ms: MEASURES,
    cache_reads: described(
      'Reads of what may never change',
      record({ hit: COUNTS, shared: COUNTS, miss: COUNTS }),
    ),
    nodes: described(
      'The first 24; null while a node did not answer its checks',
      listOf(record({ ip: IPV4, port: PORT, heights: MEASURES, latencies_ms: MEASURES })),
    ),
  }),
);

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
              reads: record({ hedged: UINT64 }),
            }),
            history: HISTORY,
            system: ref('SystemStats'),
          }),
        ),
      },
    }),
  },
  '/admin/reload': {
    post: adminRoute({
      operationId: 'reload',
      summary: 'Read the configuration again',
      requestBody: jsonBody({}, false),
      answers: {
        200: json('It is in force', record({ success: { type: 'boolean', const: true } })),
        ...errors({ 409: 'It is unusable or takes a restart; the old one stays' }),
      },
    }),
  },
};
