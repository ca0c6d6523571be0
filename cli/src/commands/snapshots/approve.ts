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
        'names from `snapshots list`, or directories of snapshots; NAME#DIGEST, with the first 16 digits of the' +
        ' digest, approves only the picture with this digest',
    },
  },
  options: {
    all: { type: 'boolean', describe: 'approve every changed snapshot' },
    directory: { ...DIRECTORY_ARGUMENT },
  },
  examples: [
    ['$0 snapshots approve snapshots/send/00002.png', 'one page; a page of differences shows this command'],
    ['$0 snapshots approve snapshots/send', 'all snapshots in a directory'],
    ['$0 snapshots approve --all', 'first look at them: zbc-signer snapshots review'],
  ],
  notes:
    'The command writes the pictures of the last run, without running a test. Other snapshots stay unchanged.',

  async run({ names = [], all, directory }) {
    if (names.length > 0 === (all === true)) {
      throw new UsageError(
        'name the snapshots to approve, or give --all',
        '`zbc-signer snapshots list` lists the changed snapshots.',
      );
    }
    if (names.includes('')) {
      throw new UsageError(
        'a name is empty, and would match every snapshot',
        'Give --all to approve all of them.',
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

/** Selects the changes with these names; throws UsageError for a name without a changed snapshot. */
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
      `${other.name} has changed since it was reviewed: a later run has drawn a different picture`,
      '`zbc-signer snapshots review` shows the current pictures.',
    );
  }
  const stranger = paths.find(each => !changes.some(({ path }) => isUnder(path, each)));
  if (stranger !== undefined) {
    throw new UsageError(
      `there is no changed snapshot ${stranger.name}`,
      '`zbc-signer snapshots list` lists the changed snapshots.',
    );
  }
  return changes.filter(({ path }) => paths.some(each => isUnder(path, each)));
}

/**
 * Parses a name. On a page of differences, a name ends with `.png`, # and the digest of the picture that the
 * page showed.
 */
function parseName(text: string): { name: string; path: string; digest: string } {
  const [, name = text, digest = ''] = /^(.*\.png)#([0-9a-f]{16,64})$/s.exec(text) ?? [];
  return { name, path: resolve(name), digest };
}
