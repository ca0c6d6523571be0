import { chainRoute, EVERY_NODE, json, type Paths } from '../operation.js';
import { COUNT, described, FLAG, HASH, INT64, record, ref, TEXT, UINT64 } from '../schema.js';

export const NODE_SCHEMAS = {
  NodeInfo: record({
    genesis_hash: described('The chain; nodes write lower case, archival nodes upper case', HASH),
    'signing_version?': described('2 when signatures are bound to the chain; absent on older nodes', INT64),
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
      answers: { 200: json('Information about the node', ref('NodeInfo')) },
    }),
  },
};
