import { stat } from 'node:fs/promises';
import type { SnapshotChange, SnapshotChanges } from '@zbc-signer/emulator/snapshots';
import { UsageError } from '../../errors/errors.js';

/** The argument of every command that looks for changed snapshots. */
export const DIRECTORY_ARGUMENT = {
  default: '.',
  describe: 'directory to search, with all its subdirectories',
} as const;

/** Throws UsageError if the path is not a directory. */
export async function searchSnapshots(directory: string): Promise<SnapshotChanges> {
  const { findSnapshotChanges } = await import('@zbc-signer/emulator/snapshots');
  const found = await stat(directory).catch(() => undefined);
  if (!found?.isDirectory()) throw new UsageError(`${directory} is not a directory`);
  return findSnapshotChanges(directory);
}

/** A change in JSON; `shown` is the path of the new picture. */
export function changeJson({ name, kind, digest, texts, test, trace, shownPath }: SnapshotChange): object {
  return { name, kind, digest, texts, test, trace, shown: shownPath };
}

/** Describes the files that were left out; empty for 0. */
export function describeLeftOut(leftOut: number): string {
  return leftOut === 0
    ? ''
    : `${leftOut} files were left out, because they are not pictures of the screen, have names that cannot be shown, or exceed the maximum number`;
}
