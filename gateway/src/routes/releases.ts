import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { RequestError } from '../base/errors.js';
import { closeFile, type PublishedFile } from '../files/published-file.js';
import { listArchs, listVersions, openBundle } from '../files/release-directory.js';
import { ATTACHMENT, sendFile } from '../files/send-file.js';
import { BUNDLE, HASH, refusal } from '../openapi/records.js';

const LATEST_SCHEMA = {
  operationId: 'latestRelease',
  summary: 'The latest release that this gateway serves',
  response: {
    200: Type.Object(
      {
        version: Type.String(),
        files: Type.Array(Type.Object({ ...BUNDLE, url: Type.String(), sha256: HASH })),
      },
      { description: 'The bundles of the release' },
    ),
    404: refusal('This gateway has no release'),
  },
};
const BUNDLE_SCHEMA = {
  operationId: 'releaseBundle',
  summary: 'The bundle of a release for one architecture',
  params: Type.Object({ version: Type.String(), arch: Type.String() }),
  response: ATTACHMENT,
};

/** The SHA-256 of files by their versions, in lower-case hex. */
const hashes = new Map<string, Promise<string>>();
/** If more hashes than this are known, all are forgotten. */
const MAX_HASHES = 1000;

/** Returns the hash and closes the file, which is read only if its hash is not known. */
async function hashOf(file: PublishedFile): Promise<string> {
  const known = hashes.get(file.version);
  if (known !== undefined) {
    await closeFile(file);
    return known;
  }
  if (hashes.size >= MAX_HASHES) hashes.clear();
  const hash = hashFile(file);
  hashes.set(file.version, hash);
  hash.catch(() => hashes.delete(file.version));
  return hash;
}

/** Hashes a file. Throws if its length changes during the read. */
async function hashFile({ content, size }: PublishedFile): Promise<string> {
  const hash = createHash('sha256');
  if (Buffer.isBuffer(content)) return hash.update(content).digest('hex');
  const stream = content.createReadStream({ start: 0 });
  await pipeline(stream, hash);
  if (stream.bytesRead !== size) throw new Error('a release file changed while being read');
  return hash.digest('hex');
}

interface BundlePath {
  Params: { version: string; arch: string };
}

/**
 * Adds `GET /releases/latest` and `GET /releases/<version>/<arch>/`. In `directory`, each `<version>/<arch>`
 * must contain one file.
 */
export function addReleaseRoutes(app: FastifyInstance, directory: string): void {
  const warn = (place: string) =>
    app.log.warn(`${place} has more than one file, so the release is not served`);
  app.get('/releases/latest', { schema: LATEST_SCHEMA }, async () => {
    for (const version of await listVersions(directory)) {
      const files = await describeBundles(directory, version, warn);
      if (files.length > 0) return { version, files };
    }
    throw new RequestError(404, 'This gateway has no release');
  });
  app.route<BundlePath>({
    method: ['GET', 'HEAD'],
    url: '/releases/:version/:arch/',
    schema: BUNDLE_SCHEMA,
    handler: async (request, reply) => {
      const { version, arch } = request.params;
      const file = await openBundle(directory, version, arch, warn);
      if (file === undefined)
        throw new RequestError(404, 'There is no release with this version and architecture');
      return sendFile(request, reply, file);
    },
  });
}

/** Describes the bundles of a release. The installer expects these keys in this order. */
async function describeBundles(directory: string, version: string, warn: (place: string) => void) {
  const files = [];
  for (const arch of await listArchs(directory, version)) {
    const file = await openBundle(directory, version, arch, warn);
    if (file !== undefined) {
      const { name, size } = file;
      const url = `/releases/${version}/${arch}/`;
      files.push({ arch, url, name, size, sha256: await hashOf(file) });
    }
  }
  return files;
}
