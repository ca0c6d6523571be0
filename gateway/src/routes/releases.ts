import type { FastifyInstance } from 'fastify';
import { RequestError } from '../base/errors.js';
import { FileHashes } from '../files/file-hashes.js';
import { listArchs, listVersions, openBundle } from '../files/release-directory.js';
import { sendFile } from '../files/send-file.js';

interface BundlePath {
  Params: { version: string; arch: string };
}

/**
 * `GET /releases/latest` and `GET /releases/<version>/<arch>/`, from directories of these names with one file
 * each.
 */
export function addReleaseRoutes(app: FastifyInstance, directory: string): void {
  const hashes = new FileHashes();
  app.get('/releases/latest', async () => {
    for (const version of await listVersions(directory)) {
      const files = await describeBundles(directory, version, hashes);
      if (files.length > 0) return { version, files };
    }
    throw new RequestError(404, 'No release');
  });
  app.route<BundlePath>({
    method: ['GET', 'HEAD'],
    url: '/releases/:version/:arch/',
    handler: async (request, reply) => {
      const { version, arch } = request.params;
      const file = await openBundle(directory, version, arch);
      if (file === undefined) throw new RequestError(404, 'No such release');
      return sendFile(request, reply, file);
    },
  });
}

/** The installer reads these keys in this order. */
async function describeBundles(directory: string, version: string, hashes: FileHashes) {
  const files = [];
  for (const arch of await listArchs(directory, version)) {
    const file = await openBundle(directory, version, arch);
    if (file !== undefined) {
      const { name, size } = file;
      const url = `/releases/${version}/${arch}/`;
      files.push({ arch, url, name, size, sha256: await hashes.of(file) });
    }
  }
  return files;
}
