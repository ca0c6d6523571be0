import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { RequestError } from '../base/errors.js';
import {
  closeFile,
  ignoreMissing,
  isSegment,
  openPublished,
  type PublishedFile,
} from '../files/published-file.js';
import { ATTACHMENT, sendFile } from '../files/send-file.js';
import { BUNDLE } from '../openapi/records.js';

const FILES = Type.Array(Type.Object({ ...BUNDLE, url: Type.String() }));
const LATEST_SCHEMA = {
  operationId: 'latestRelease',
  summary: 'The latest release that this gateway serves',
  response: { 200: Type.Object({ version: Type.String(), files: FILES }) },
};
const BUNDLE_SCHEMA = {
  operationId: 'releaseBundle',
  summary: 'The bundle of a release for one architecture',
  params: Type.Object({ version: Type.String(), arch: Type.String() }),
  response: ATTACHMENT,
};

/** Matches `1.2.3`, or `1.2.3-rc.1` for a prerelease, with or without a leading `v`. */
const VERSION = /^v?\d{1,9}\.\d{1,9}\.\d{1,9}(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/;
const BY_NUMBERS = new Intl.Collator('en', { numeric: true });

interface BundlePath {
  Params: { version: string; arch: string };
}

/**
 * Adds `GET /releases/latest` and `GET /releases/<version>/<arch>/`. In `directory`, each `<version>/<arch>`
 * must contain one file; otherwise it is not served, and several files are logged.
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
  for (const arch of await namesIn(join(directory, version), 'isDirectory')) {
    const file = await openBundle(directory, version, arch, warn);
    if (file === undefined) continue;
    await closeFile(file);
    files.push({ arch, url: `/releases/${version}/${arch}/`, name: file.name, size: file.size });
  }
  return files;
}

/** Opens the only file in `<version>/<arch>`; undefined if there is none, or if a directory is a link. */
async function openBundle(
  directory: string,
  version: string,
  arch: string,
  onStray: (place: string) => void,
): Promise<PublishedFile | undefined> {
  if (!(await namesIn(directory, 'isDirectory')).includes(version)) return undefined;
  if (!(await namesIn(join(directory, version), 'isDirectory')).includes(arch)) return undefined;
  const place = join(directory, version, arch);
  const [name, ...others] = await namesIn(place, 'isFile');
  if (others.length > 0) onStray(place);
  return name !== undefined && others.length === 0 ? openPublished(place, name) : undefined;
}

/**
 * Lists the directories whose names are versions: first the releases, then the prereleases, each from the
 * highest version down. Directories with other names can be downloaded, but are never the latest release.
 */
async function listVersions(directory: string): Promise<string[]> {
  const versions = (await namesIn(directory, 'isDirectory')).filter(name => VERSION.test(name));
  return versions.sort((one, other) => {
    const [first, second] = [one, other].map(name => name.replace('v', '')) as [string, string];
    return Number(first.includes('-')) - Number(second.includes('-')) || BY_NUMBERS.compare(second, first);
  });
}

/** Lists the files or the directories of a directory. A symbolic link is neither. */
async function namesIn(directory: string, kind: 'isFile' | 'isDirectory'): Promise<string[]> {
  const entries = (await readdir(directory, { withFileTypes: true }).catch(ignoreMissing)) ?? [];
  return entries.flatMap(entry => (entry[kind]() && isSegment(entry.name) ? [entry.name] : [])).sort();
}
