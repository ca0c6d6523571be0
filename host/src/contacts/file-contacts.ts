import { resolve } from 'node:path';
import { invalidInputError, type ZbcSignerError } from '@zbc-signer/chain';
import { bindMembers } from '@zbc-signer/protocol/bound-members';
import { readPrivateFile, replacePrivateFile } from '../private-file.js';
import type { ContactStore } from './contact-book.js';
import { contactsError, MAX_CONTACTS_LENGTH, parseContacts } from './contact-document.js';

/**
 * Contacts in a file that only its user may read, and that is replaced as a whole. If two programs change it at
 * the same moment, the change of one is lost.
 */
export class FileContacts implements ContactStore {
  readonly path: string;

  constructor(path: string) {
    bindMembers(this);
    this.path = resolve(path);
  }

  async load(): Promise<string | undefined> {
    try {
      const { text } = await readPrivateFile(this.path, MAX_CONTACTS_LENGTH, invalidInputError);
      parseContacts(text);
      return text;
    } catch (error) {
      if (Object(error).code === 'ENOENT') return undefined;
      throw this.#error('read', error);
    }
  }

  async store(text: string): Promise<void> {
    await replacePrivateFile(this.path, text).catch(error => {
      throw this.#error('written', error);
    });
  }

  #error(done: string, cause: unknown): ZbcSignerError {
    return contactsError(`${this.path} cannot be ${done}`, cause);
  }
}
