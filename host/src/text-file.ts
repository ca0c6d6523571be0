import { resolve } from 'node:path';
import { invalidInputError } from '@zbc-signer/chain';
import { bindMembers } from '@zbc-signer/protocol/bound-members';
import { readPrivateFile, replacePrivateFile } from './private-file.js';
import type { TextStore } from './text-store.js';

const MAX_BYTES = 1_048_576;

/**
 * A text of at most 1 MiB in a file that only its user may read, and that is replaced as a whole. If two programs
 * change it at the same moment, the change of one is lost. Rejects with the error of the system, or with
 * `INVALID_INPUT` if the file is longer or not a regular file.
 */
export class TextFile implements TextStore {
  readonly path: string;

  constructor(path: string) {
    bindMembers(this);
    this.path = resolve(path);
  }

  async load(): Promise<string | undefined> {
    try {
      return (await readPrivateFile(this.path, MAX_BYTES, invalidInputError)).text;
    } catch (error) {
      if (Object(error).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  async store(text: string): Promise<void> {
    await replacePrivateFile(this.path, text);
  }
}
