import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../repository/repository.js';

/** The published packages by their directories, each after those that it needs. */
export const PACKAGES = [
  'protocol',
  'chain',
  'connect',
  'host',
  'image',
  'emulator',
  'web',
  'wallet',
  'gateway',
  'devnet',
  'cli',
] as const;
export type PackageName = (typeof PACKAGES)[number];

/** Where the tarballs are while the tests run. */
export const TARBALLS = join(root, 'dist/tarballs');
/** Where is kept what `npm pack --json` printed. */
export const reportOf = (directory: string): string => join(directory, 'report.json');

export interface Tarball {
  name: string;
  filename: string;
  integrity: string;
  files: { path: string; mode: number }[];
}

/** A file, or one for each condition. */
export type ExportTarget = string | { [condition: string]: ExportTarget };

/** What package.json of a package says. */
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
  scripts: Record<string, string>;
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
