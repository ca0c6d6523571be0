import { cleanText } from '@zbc-signer/chain';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { RequestError } from '../base/errors.js';
import { ajv } from '../base/validation.js';
import type { GatewayContext } from '../gateway-context.js';
import { BUNDLE, HASH, UINT64 } from '../openapi/records.js';

const SCHEMA = {
  operationId: 'verify',
  summary: 'Whether the chain publishes a file with this hash',
  querystring: Type.Object({ sha256: Type.String({ format: 'sha256', description: 'SHA-256 of the file' }) }),
  response: {
    200: Type.Object({
      sha256: HASH,
      published: Type.Boolean(),
      release: Type.Optional(Type.Object({ version: Type.String(), ...BUNDLE, released_at: UINT64 })),
    }),
  },
};

const TEXT = Type.String();
const ATOMS = Type.Unsafe<bigint>({ atoms: true });
const FILES = Type.Array(Type.Object({ sha256: TEXT }), { maxItems: 1000 });
const LIST = Type.Object({ releases: Type.Array(Type.Object({ files: FILES }), { maxItems: 10_000 }) });
const isList = ajv.compile<Static<typeof LIST>>(LIST);

/** A file whose hash the chain publishes; `released_at` is in Unix seconds. */
const RELEASE = Type.Object({ version: TEXT, arch: TEXT, name: TEXT, size: ATOMS, released_at: ATOMS });
const isRelease = ajv.compile<Static<typeof RELEASE>>(RELEASE);

/** The files of each valid list by their SHA-256 in lower-case hex, because validation takes long. */
const indexes = new WeakMap<object, ReadonlyMap<string, object>>();

/** `GET /verify?sha256=HEX` reports whether the chain publishes a file with this hash. */
export function addVerifyRoute(app: FastifyInstance, context: GatewayContext): void {
  app.get<{ Querystring: { sha256: string } }>('/verify', { schema: SCHEMA }, async ({ query }) => {
    const sha256 = query.sha256.toLowerCase();
    const release = findRelease(await readReleases(context), sha256);
    // The installer expects the first two keys in this order.
    return { sha256, published: release !== undefined, release };
  });
}

/**
 * Reads the list of releases. Throws RequestError 503 if the nodes have no such route, because the hash may
 * nevertheless be published.
 */
async function readReleases(context: GatewayContext): Promise<unknown> {
  try {
    return await context.readChain('/api/v1/release/list');
  } catch (error) {
    throw error instanceof RequestError && error.statusCode === 404
      ? new RequestError(503, 'The release list is not available')
      : error;
  }
}

/**
 * Finds a SHA-256 (lower-case hex) in the response to `/api/v1/release/list`, and returns the release without
 * control characters. Returns undefined if it is not listed. Throws RequestError 502 for a malformed list,
 * because the hash may nevertheless be published.
 */
export function findRelease(answer: unknown, sha256: string): Static<typeof RELEASE> | undefined {
  const found = indexOf(answer).get(sha256);
  if (found === undefined) return undefined;
  if (!isRelease(found)) throw notAList();
  const { version, arch, name, size, released_at } = found;
  return { version: cleanText(version), arch: cleanText(arch), name: cleanText(name), size, released_at };
}

function indexOf(answer: unknown): ReadonlyMap<string, object> {
  const known = indexes.get(Object(answer));
  if (known !== undefined) return known;
  if (!isList(answer)) throw notAList();
  const index = new Map<string, object>();
  for (const release of answer.releases) {
    for (const file of release.files) {
      const hash = file.sha256.toLowerCase();
      if (!index.has(hash)) index.set(hash, { ...release, ...file });
    }
  }
  indexes.set(answer, index);
  return index;
}

function notAList(): RequestError {
  return new RequestError(502, 'The node sent an invalid release list');
}
