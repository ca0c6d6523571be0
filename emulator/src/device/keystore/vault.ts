import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { VaultModel } from './vault-model.js';

/** A model of a vault in memory or in a file. It protects nothing, because the file contains the key. */
export class Vault extends VaultModel {
  /** Throws VAULT_UNREADABLE if the file is not a vault; a missing file is created. */
  constructor(path?: string) {
    super({
      name: String(path),
      load: () => (path === undefined ? undefined : readIfThere(path)),
      save: text => {
        if (path !== undefined) replaceFile(path, text);
      },
    });
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Replaces the file atomically, even if the power fails. */
function replaceFile(path: string, text: string): void {
  const temporary = `${path}.new`;
  const file = openSync(temporary, 'w', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
  const directory = openSync(dirname(path), 'r');
  fsyncSync(directory);
  closeSync(directory);
}
