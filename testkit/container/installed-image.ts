import { copyFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
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
 * Builds the image of a directory with a Containerfile, in which the packed command line belongs, on a stand-in
 * of Node's image and without a registry. `directory` is for what it takes.
 */
export function buildInstalled(buildah: Buildah, name: string, source: string, directory: string): void {
  const base = join(directory, 'base');
  fillBaseImage(join(base, 'files'));
  writeFileSync(join(base, 'Containerfile'), BASE_FILE);
  buildah.build(BASE, base);
  const offline = prepareInstallation(directory);
  const context = join(directory, 'context');
  cpSync(source, context, { recursive: true });
  const tarball = tarballPath('cli');
  copyFileSync(tarball, join(context, basename(tarball)));
  const file = ['--file', join(context, 'Containerfile')];
  buildah.build(name, context, ...file, '--volume', `${offline}:/offline`);
}

/** An npm cache that has all that the package needs: the build reaches no registry. */
function prepareInstallation(directory: string): string {
  const offline = join(directory, 'offline');
  mkdirSync(join(offline, 'project'), { recursive: true });
  writeFileSync(join(offline, 'project/package.json'), '{"private":true}');
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--cache', join(offline, 'cache')];
  npm([...words, tarballPath('cli')], join(offline, 'project'));
  return offline;
}
