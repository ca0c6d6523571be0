import { TextFile } from '../text-file.js';
import { contactsError, parseContacts } from './contact-document.js';

/** Contacts in a file. Rejects with `CONTACTS_DAMAGED` if it cannot be read or written. */
export class FileContacts extends TextFile {
  override async load(): Promise<string | undefined> {
    try {
      const text = await super.load();
      if (text !== undefined) parseContacts(text);
      return text;
    } catch (error) {
      throw contactsError(`${this.path} cannot be read`, error);
    }
  }

  override async store(text: string): Promise<void> {
    await super.store(text).catch(error => {
      throw contactsError(`${this.path} cannot be written`, error);
    });
  }
}
