import { chainRoute, EVERY_NODE, json, type Paths } from './operation.js';
import {
  COUNT,
  described,
  FLAG,
  HASH,
  HEX,
  INT64,
  IPV4,
  listOf,
  PORT,
  record,
  ref,
  type Schema,
  TEXT,
  UINT64,
} from './schema.js';

const registered = (fields: Record<string, Schema>) =>
  record({ public_key: HEX, ...fields, registered_height: UINT64 });

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
  RegisteredNode: registered({ ip: IPV4, port: PORT, version: TEXT }),
  RegisteredGateway: registered({ host: described('With the port unless it is 443', TEXT) }),
  RegisteredRelay: registered({ address: TEXT, rate: described('Atomic units a megabyte', UINT64) }),
};

const registry = (kind: string, entry: string) => ({
  get: chainRoute(EVERY_NODE, {
    operationId: `registered${kind[0]!.toUpperCase()}${kind.slice(1)}`,
    summary: `The chain's registry of ${kind}`,
    description: 'Entries are written by their registrants and not validated.',
    answers: { 200: json('What is registered', record({ [kind]: listOf(ref(entry)) })) },
  }),
});

export const NODE_PATHS: Paths = {
  '/api/v1/node/info': {
    get: chainRoute(EVERY_NODE, {
      operationId: 'nodeInfo',
      summary: 'The chain and its height',
      answers: { 200: json('Information about the node', ref('NodeInfo')) },
    }),
  },
  '/api/v1/registry/nodes': registry('nodes', 'RegisteredNode'),
  '/api/v1/registry/archivals': registry('archivals', 'RegisteredNode'),
  '/api/v1/registry/gateways': registry('gateways', 'RegisteredGateway'),
  '/api/v1/registry/relays': registry('relays', 'RegisteredRelay'),
};
