import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreMissing, isSegment, openPublished, type PublishedFile } from './published-file.js';

/** Matches `1.2.3`, or `1.2.3-rc.1` for a prerelease, with or without a leading `v`. */
const VERSION = /^v?\d{1,9}\.\d{1,9}\.\d{1,9}(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/;
const BY_NUMBERS = new Intl.Collator('en', { numeric: true });

/**
 * Opens the only file in `<version>/<arch>`. Returns undefined if there is no file, if there are several
 * files, or if a directory is a link. If there are several files, calls `onStray` with their directory.
 */
export async function openBundle(
  directory: string,
  version: string,
  arch: string,
  onStray: (place: string) => void,
): Promise<PublishedFile | undefined> {
  const versions = await directoriesIn(directory);
  if (!versions.includes(version) || !(await directoriesIn(join(directory, version))).includes(arch)) {
    return undefined;
  }
  const bundleDirectory = join(directory, version, arch);
  const [name, ...others] = await filesIn(bundleDirectory);
  if (others.length > 0) onStray(bundleDirectory);
  return name !== undefined && others.length === 0 ? openPublished(bundleDirectory, name) : undefined;
}

/**
 * Lists the directories whose names are versions: first the releases, then the prereleases, each from the
 * highest version down. Directories with other names can be downloaded, but are never the latest release.
 */
export async function listVersions(directory: string): Promise<string[]> {
  const versions = (await directoriesIn(directory)).filter(name => VERSION.test(name));
  return versions.sort(latestFirst);
}

export function listArchs(directory: string, version: string): Promise<string[]> {
  return directoriesIn(join(directory, version));
}

function latestFirst(one: string, other: string): number {
  const [first, second] = [one, other].map(name => name.replace('v', '')) as [string, string];
  return Number(first.includes('-')) - Number(second.includes('-')) || BY_NUMBERS.compare(second, first);
}

function directoriesIn(directory: string): Promise<string[]> {
  return namesIn(directory, entry => entry.isDirectory());
}

function filesIn(directory: string): Promise<string[]> {
  return namesIn(directory, entry => entry.isFile());
}

/** Lists the entries that match. A symbolic link counts neither as a file nor as a directory. */
async function namesIn(directory: string, wanted: (entry: Dirent) => boolean): Promise<string[]> {
  const entries = (await readdir(directory, { withFileTypes: true }).catch(ignoreMissing)) ?? [];
  const names = entries.filter(entry => wanted(entry) && isSegment(entry.name)).map(({ name }) => name);
  return names.sort();
}
