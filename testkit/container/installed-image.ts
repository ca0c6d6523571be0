import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { npm } from '../packages/npm.js';
import { tarballPath } from '../packages/tarballs.js';
import { fillBaseImage } from './base-image.js';
import type { Buildah } from './buildah.js';

const BASE = 'docker.io/library/node:22-bookworm-slim';
const BASE_FILE = `FROM scratch
COPY files /
ENV PATH=/usr/local/bin:/usr/bin:/bin npm_config_offline=true npm_config_cache=/offline/cache
`;

/**
 * Builds the image of a directory's Containerfile, which installs `PACKAGE` on Node's image: the packed one
 * on a stand-in of that image, without a registry. `directory` is for what it takes.
 */
export function buildInstalled(buildah: Buildah, name: string, context: string, directory: string): void {
  const base = join(directory, 'base');
  fillBaseImage(join(base, 'files'));
  writeFileSync(join(base, 'Containerfile'), BASE_FILE);
  buildah.build(BASE, base);
  const offline = prepareInstallation(directory);
  const tarball = join('/offline', basename(tarballPath('cli')));
  const file = ['--file', join(context, 'Containerfile')];
  buildah.build(
    name,
    context,
    ...file,
    '--build-arg',
    `PACKAGE=${tarball}`,
    '--volume',
    `${offline}:/offline`,
  );
}

/** What the file installs, and an npm cache that has all that it needs: the build reaches no registry. */
function prepareInstallation(directory: string): string {
  const offline = join(directory, 'offline');
  mkdirSync(join(offline, 'project'), { recursive: true });
  const tarball = tarballPath('cli');
  copyFileSync(tarball, join(offline, basename(tarball)));
  writeFileSync(join(offline, 'project/package.json'), '{"private":true}');
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--cache', join(offline, 'cache')];
  npm([...words, tarball], join(offline, 'project'));
  return offline;
}
