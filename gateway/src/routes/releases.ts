import { readdir, readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { RequestError } from '../base/errors.js';
import type { GatewayConfig } from '../config/config.js';
import {
  closeFile,
  ignoreMissing,
  isSegment,
  openPublished,
  type PublishedFile,
} from '../files/published-file.js';
import { ATTACHMENT, sendFile } from '../files/send-file.js';
import type { GatewayContext } from '../gateway-context.js';
import { BUNDLE, media, operation } from '../openapi/records.js';

const FILES = Type.Array(Type.Object({ ...BUNDLE, url: Type.String() }));
const LATEST = Type.Object({ version: Type.String(), files: FILES });
const LATEST_SCHEMA = operation('latestRelease', 'The latest release that this gateway serves', LATEST);
const BUNDLE_SCHEMA = {
  operationId: 'releaseBundle',
  summary: 'The bundle of a release for one architecture',
  params: Type.Object({ version: Type.String(), arch: Type.String() }),
  response: ATTACHMENT,
};

const TEMPLATE = new URL('../browser/install.sh', import.meta.url);

const INSTALLER = 'A script that downloads, verifies and unpacks the latest release';
const INSTALLER_SCHEMA = operation('installer', INSTALLER, media('text/x-shellscript'));

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
  /** Opens the only file in `<version>/<arch>`; undefined if there is none, or if a directory is a link. */
  const openBundle = async (version: string, arch: string): Promise<PublishedFile | undefined> => {
    if (!(await namesIn(directory, 'isDirectory')).includes(version)) return undefined;
    if (!(await namesIn(join(directory, version), 'isDirectory')).includes(arch)) return undefined;
    const place = join(directory, version, arch);
    const [name, ...others] = await namesIn(place, 'isFile');
    if (others.length > 0) app.log.warn(`${place} has more than one file, so the release is not served`);
    return name !== undefined && others.length === 0 ? openPublished(place, name) : undefined;
  };
  app.get('/releases/latest', { schema: LATEST_SCHEMA }, async () => {
    for (const version of await listVersions(directory)) {
      const files = [];
      for (const arch of await namesIn(join(directory, version), 'isDirectory')) {
        const file = await openBundle(version, arch);
        if (file === undefined) continue;
        await closeFile(file);
        // The installer expects these keys in this order.
        files.push({ arch, url: `/releases/${version}/${arch}/`, name: file.name, size: file.size });
      }
      if (files.length > 0) return { version, files };
    }
    throw new RequestError(404, 'This gateway has no release');
  });
  app.route<BundlePath>({
    method: ['GET', 'HEAD'],
    url: '/releases/:version/:arch/',
    schema: BUNDLE_SCHEMA,
    handler: async (request, reply) => {
      const file = await openBundle(request.params.version, request.params.arch);
      if (file === undefined)
        throw new RequestError(404, 'There is no release with this version and architecture');
      return sendFile(request, reply, file);
    },
  });
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

/** Returns the shell script that installs a node from the gateway at `gatewayUrl`. */
export async function writeInstallScript(gatewayUrl: string): Promise<string> {
  const template = await readFile(TEMPLATE, 'utf8');
  return template.replace('@GATEWAY_URL@', () => quoteForShell(gatewayUrl));
}

/** Quotes text as one word of a POSIX shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * `GET /install` sends a shell script that installs the latest release, after it has compared the release's
 * hash with that on the chain.
 */
export function addInstallRoute(app: FastifyInstance, { config }: GatewayContext): void {
  app.get('/install', { schema: INSTALLER_SCHEMA }, async (request, reply) => {
    const bound = request.server.server.address() as AddressInfo | null;
    reply.headers({
      'content-type': 'text/x-shellscript; charset=utf-8',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    });
    return reply.send(await writeInstallScript(publicUrl(config, bound?.port ?? config.listenPort)));
  });
}

/**
 * Returns the gateway's URL for clients, without a trailing slash. It depends only on the configuration and
 * the bound port, never on a request.
 */
function publicUrl({ publicUrl: configured, gatewayHost, tls }: GatewayConfig, port: number): string {
  if (configured !== undefined) return configured;
  const [scheme, usualPort] = tls === undefined ? ['http', 80] : ['https', 443];
  return `${scheme}://${gatewayHost}${port === usualPort ? '' : `:${port}`}`;
}
