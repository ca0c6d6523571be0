import { type Static, Type } from 'typebox';
import { MAX_PORT, NODE_ROLES } from '../base/node-address.js';

/** The schema of every error response, to which `refusal` refers. */
export const ERROR = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.String(),
    code: Type.Integer({ description: 'The HTTP status' }),
  },
  { $id: 'Error' },
);

/** The response to a request that fails. */
export const refusal = (description: string) => ({ $ref: 'Error#', description });

/** A response of another media type than JSON. */
export const media = (type: string, description: string) => ({
  description,
  content: { [type]: { schema: Type.String() } },
});

/** A response without a body. */
export const bodiless = (description: string) => ({ description, type: 'null' });

export const HASH = Type.String({ pattern: '^[0-9A-Fa-f]{64}$', description: '32 bytes in hex' });
export const COUNT = Type.Integer({ minimum: 0 });
export const UINT64 = Type.Integer({ format: 'uint64', minimum: 0 });
const INT64 = Type.Integer({ format: 'int64' });

/** The address of a node in a request. */
export const ADDRESS = {
  ip: Type.String({ format: 'ip', description: 'An IPv4 or IPv6 address' }),
  port: Type.Integer({ minimum: 1, maximum: MAX_PORT }),
};

/** A node in the gateway's reports. */
export const NODE = {
  ...ADDRESS,
  host: Type.Optional(
    Type.String({
      description: 'The name by which the configuration lists the node; ip is its present address',
    }),
  ),
  role: Type.Enum([...NODE_ROLES]),
  answers: Type.Boolean(),
  cordoned: Type.Boolean(),
};
export const SOURCE = Type.Enum(['static', 'admin', 'registry']);

/** A file of a release. */
export const BUNDLE = { arch: Type.String(), name: Type.String(), size: UINT64 };

/** What the faucet paid. */
export const FAUCET_PAYMENT = Type.Object({
  success: Type.Literal(true),
  amount: UINT64,
  transaction_hash: HASH,
  tokens: Type.Array(Type.Object({ token_id: INT64, amount: UINT64, transaction_hash: HASH })),
  block_height: UINT64,
});

export const SYSTEM_STATS = Type.Object({
  cpu: Type.Object({
    count: COUNT,
    load_average: Type.Array(Type.Number()),
    usage_percent: Type.Number(),
  }),
  memory: Type.Object({ total_bytes: COUNT, free_bytes: COUNT, process_bytes: COUNT }),
  disk: Type.Object({ total_bytes: COUNT, free_bytes: COUNT }),
  uptime: Type.Object({ system_seconds: COUNT, process_seconds: COUNT }),
});

const ADMIN_NODE = Type.Object({
  ...NODE,
  source: SOURCE,
  routed: Type.Boolean({
    description:
      'Whether the node gets requests: it answers, is in step on the routed chain, and not cordoned',
  }),
  broken: Type.Boolean({ description: 'Whether the node is asked last after several poor answers' }),
  other_fork: Type.Optional(
    Type.String({ description: 'A node whose fork of the chain is followed instead of that of this node' }),
  ),
  fault: Type.Optional(Type.String({ description: 'Why the node does not answer' })),
  genesis_hash: Type.Optional(HASH),
  height: Type.Optional(Type.String({ description: 'Decimal digits, for pages, whose numbers end at 2^53' })),
  behind: Type.Optional(
    Type.String({ description: 'Blocks behind the best node, if it is asked last or not at all' }),
  ),
  latency_ms: Type.Optional(Type.Number()),
  requests: COUNT,
  failures: COUNT,
  running: Type.Integer({ description: 'Number of requests that have not ended yet' }),
});

/** The response of `GET /admin/state`. */
export const ADMIN_STATE = Type.Object({
  gateway: Type.Object({
    domain: Type.String(),
    mode: Type.Enum(['public', 'private']),
    version: Type.String(),
    uptime_seconds: COUNT,
    genesis_hash: Type.Optional(HASH),
  }),
  nodes: Type.Array(ADMIN_NODE),
  traffic: Type.Object({
    requests: COUNT,
    answers: Type.Record(Type.String(), COUNT, { description: 'Counts by the first digit of the status' }),
    bytes_out: COUNT,
  }),
  system: SYSTEM_STATS,
});

/** A record before it is sent: a field that is undefined is left out. */
type Unsent<T> = { [Name in keyof T]: object extends Pick<T, Name> ? T[Name] | undefined : T[Name] };

/** A node on the admin page. */
export type AdminNode = Unsent<Static<typeof ADMIN_NODE>>;
/** The data of the admin page. */
export type AdminState = Omit<Static<typeof ADMIN_STATE>, 'gateway' | 'nodes'> & {
  gateway: Unsent<Static<typeof ADMIN_STATE>['gateway']>;
  nodes: AdminNode[];
};
