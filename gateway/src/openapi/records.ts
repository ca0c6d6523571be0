import { Type } from 'typebox';
import { MAX_PORT, NODE_ROLES } from '../base/node-address.js';

/** The schema of every error response. */
export const ERROR = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.String(),
    code: Type.Integer({ description: 'The HTTP status' }),
  },
  { $id: 'Error' },
);

/** A response of another media type than JSON. */
export const media = (type: string) => ({ content: { [type]: { schema: Type.String() } } });
/** A response without a body. */
export const NO_BODY = { type: 'null' };

export const HASH = Type.String({ pattern: '^[0-9A-Fa-f]{64}$', description: '32 bytes in hex' });
export const COUNT = Type.Integer({ minimum: 0 });
export const UINT64 = Type.Integer({ format: 'uint64', minimum: 0 });

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
};
export const SOURCE = Type.Enum(['static', 'admin', 'registry']);

/** A file of a release. */
export const BUNDLE = { arch: Type.String(), name: Type.String(), size: UINT64 };
