import { resolve } from 'node:path';
import type { SnapshotChange } from '@zbc-signer/emulator/snapshots';
import { UsageError } from '../../errors/errors.js';
import { defineCommand } from '../../parser/command.js';
import { DIRECTORY_ARGUMENT, searchSnapshots } from './search.js';

export const command = defineCommand({
  arguments: {
    names: {
      array: true,
      describe:
        'names from `snapshots list`, or directories of snapshots; NAME#DIGEST, with the first 16 digits,' +
        ' approves only that picture',
    },
  },
  options: {
    all: { type: 'boolean', describe: 'approve every changed snapshot' },
    directory: { ...DIRECTORY_ARGUMENT },
  },
  examples: [
    ['$0 snapshots approve snapshots/send/00002.png', 'one page; the page of differences shows the command'],
    ['$0 snapshots approve snapshots/send', 'all pages of a set'],
    ['$0 snapshots approve --all', 'look at them first: $0 snapshots review'],
  ],
  notes: 'It writes what the last run showed, without running a test, and leaves all others as they are.',

  async run({ names = [], all, directory }) {
    if (names.length > 0 === (all === true)) {
      throw new UsageError(
        'name the snapshots to approve, or give --all',
        'zbc-signer snapshots list names them.',
      );
    }
    if (names.includes('')) {
      throw new UsageError(
        'a name is empty: it would be that of every snapshot',
        'For all of them give --all.',
      );
    }
    const { approveSnapshots } = await import('@zbc-signer/emulator/snapshots');
    const { changes } = await searchSnapshots(directory);
    const wanted = all ? changes : selectChanges(changes, names);
    await approveSnapshots(wanted);
    const text = [...wanted.map(({ name }) => name), `${wanted.length} approved.`].join('\n');
    return { json: { approved: wanted.map(({ name }) => name) }, text };
  },
});

/** Throws UsageError for a name without a changed snapshot. */
function selectChanges(changes: readonly SnapshotChange[], names: readonly string[]): SnapshotChange[] {
  const paths = names.map(parseName);
  const isUnder = (path: string, { path: above }: { path: string }) =>
    path === above || path.startsWith(`${above}/`);
  const other = paths.find(
    ({ path, digest }) =>
      changes.some(change => change.path === path) &&
      !changes.some(change => change.path === path && change.digest.startsWith(digest)),
  );
  if (other !== undefined) {
    throw new UsageError(
      `${other.name} is not the picture that was reviewed: a later run has shown another`,
      'zbc-signer snapshots review shows what there is now.',
    );
  }
  const stranger = paths.find(each => !changes.some(({ path }) => isUnder(path, each)));
  if (stranger !== undefined) {
    throw new UsageError(`no changed snapshot ${stranger.name}`, 'zbc-signer snapshots list names them.');
  }
  return changes.filter(({ path }) => paths.some(each => isUnder(path, each)));
}

/**
 * A name from a page of differences ends with # and the digest of the picture that the page showed; the name
 * itself ends with `.png`.
 */
function parseName(text: string): { name: string; path: string; digest: string } {
  const [, name = text, digest = ''] = /^(.*\.png)#([0-9a-f]{16,64})$/s.exec(text) ?? [];
  return { name, path: resolve(name), digest };
}
