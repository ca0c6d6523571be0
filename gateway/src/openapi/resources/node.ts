import { chainRoute, EVERY_NODE, json, type Paths } from '../operation.js';
import { COUNT, FLAG, HASH, INT64, record, ref, TEXT, told, UINT64 } from '../schema.js';

export const NODE_SCHEMAS = {
  NodeInfo: record({
    genesis_hash: told('The chain; nodes write lower case, archival nodes upper case', HASH),
    'signing_version?': told('2 when signatures are bound to the chain; left out by older nodes', INT64),
    'signing_tag?': TEXT,
    height: UINT64,
    'version?': TEXT,
    'peer_count?': COUNT,
    'synced?': FLAG,
  }),
};

export const NODE_PATHS: Paths = {
  '/api/v1/node/info': {
    get: chainRoute(EVERY_NODE, {
      operationId: 'nodeInfo',
      summary: 'The chain and its height',
      answers: { 200: json('The node that was asked', ref('NodeInfo')) },
    }),
  },
};
