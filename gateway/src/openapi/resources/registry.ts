import { chainRoute, EVERY_NODE, json, type Paths } from '../operation.js';
import { HEX, IPV4, listOf, PORT, record, ref, type Schema, TEXT, told, UINT64 } from '../schema.js';

const registered = (fields: Record<string, Schema>) =>
  record({ public_key: HEX, ...fields, registered_height: UINT64 });

export const REGISTRY_SCHEMAS = {
  RegisteredNode: registered({ ip: IPV4, port: PORT, version: TEXT }),
  RegisteredGateway: registered({ host: told('With the port if it is not 443', TEXT) }),
  RegisteredRelay: registered({ address: TEXT, rate: told('Atomic units a megabyte', UINT64) }),
};

const registry = (kind: string, entry: string) => ({
  get: chainRoute(EVERY_NODE, {
    operationId: `registered${kind[0]!.toUpperCase()}${kind.slice(1)}`,
    summary: `The chain's registry of ${kind}`,
    description: 'Who registered wrote it: nothing of it is checked.',
    answers: { 200: json('What is registered', record({ [kind]: listOf(ref(entry)) })) },
  }),
});

export const REGISTRY_PATHS: Paths = {
  '/api/v1/registry/nodes': registry('nodes', 'RegisteredNode'),
  '/api/v1/registry/archivals': registry('archivals', 'RegisteredNode'),
  '/api/v1/registry/gateways': registry('gateways', 'RegisteredGateway'),
  '/api/v1/registry/relays': registry('relays', 'RegisteredRelay'),
};
