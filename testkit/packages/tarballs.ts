import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../repository/repository.js';

/** Directories of the published packages. A package follows its dependencies. */
export const PACKAGES = [
  'protocol',
  'chain',
  'connect',
  'host',
  'react',
  'image',
  'emulator',
  'web',
  'wallet',
  'gateway',
  'devnet',
  'cli',
] as const;
export type PackageName = (typeof PACKAGES)[number];

/** Directory of the tarballs while the tests run. */
export const TARBALLS = join(root, 'dist/tarballs');
/** Returns the path of the file with the output of `npm pack --json`. */
export const reportOf = (directory: string): string => join(directory, 'report.json');

export interface Tarball {
  name: string;
  filename: string;
  integrity: string;
  files: { path: string; mode: number }[];
}

/** A target in the `exports` of a package.json: a file, or a target for each condition. */
export type ExportTarget = string | { [condition: string]: ExportTarget };

/** The fields of a package.json that tests use. */
interface Manifest {
  name: string;
  version: string;
  license: string;
  engines: { node: string };
  repository: { type: string; url: string; directory: string };
  keywords: string[];
  description: string;
  exports: Record<string, ExportTarget>;
  sideEffects?: boolean | string[];
  bin?: Record<string, string>;
  dependencies?: Record<string, string>;
}

export function manifestOf(directory: PackageName): Manifest {
  return JSON.parse(readFileSync(join(root, directory, 'package.json'), 'utf8')) as Manifest;
}

export function tarballOf(directory: PackageName, tarballs = TARBALLS): Tarball {
  const report = JSON.parse(readFileSync(reportOf(tarballs), 'utf8')) as Tarball[];
  const { name } = manifestOf(directory);
  return report.find(tarball => tarball.name === name)!;
}

export function tarballPath(directory: PackageName, tarballs = TARBALLS): string {
  return join(tarballs, tarballOf(directory, tarballs).filename);
}
