import { formatAccount } from '@zbc-signer/chain';
import { type Contact, type ImportedContacts, MAX_CONTACTS_LENGTH, parseContacts } from '@zbc-signer/host';
import { withSigner } from '../../connection/device.js';
import { readBytes } from '../../input/files.js';
import { defineCommand } from '../../parser/command.js';
import { DEVICE_OPTIONS, GATEWAY_OPTIONS } from '../../parser/options.js';
import { openContactBook } from '../../transaction/contacts.js';
import { contactJson } from './fields.js';

export const command = defineCommand({
  arguments: { file: { demandOption: true, describe: 'file of `contact export`, or - for stdin' } },
  options: { device: DEVICE_OPTIONS.device, ...GATEWAY_OPTIONS },
  examples: [['$0 contact import contacts.json', 'the device checks each contact']],
  notes:
    'No contact is replaced. Contacts of other seeds and chains are kept for them; to use one with this device, compare its address and name it again with `contact add`.',

  async run({ file, device, api }, terminal) {
    const { signal } = terminal;
    const given = parseContacts(
      (await readBytes('contacts', file, MAX_CONTACTS_LENGTH, signal)).toString('utf8'),
    );
    return withSigner(device, async signer => {
      const book = await openContactBook(signer, { api }, terminal);
      const imported = await book.import(given, contact => signer.checkContact(contact, { signal }));
      const lists = Object.entries(imported) as [keyof ImportedContacts, Contact[]][];
      return {
        json: Object.fromEntries(lists.map(([name, contacts]) => [name, contacts.map(contactJson)])),
        text: describe(lists) || 'The file has no contacts.',
      };
    });
  },
});

const WORDS: Readonly<Record<keyof ImportedContacts, string>> = {
  added: 'Added',
  present: 'There already',
  taken: 'Not added, because another contact has the name or the account',
  refused: 'Not added, because the device refuses them: they were changed',
  others: 'Kept for another seed or chain; to use one here, compare its address, then `contact add`',
};

function describe(lists: readonly (readonly [keyof ImportedContacts, readonly Contact[]])[]): string {
  return lists
    .filter(([, contacts]) => contacts.length > 0)
    .map(([name, contacts]) =>
      [`${WORDS[name]}:`, ...contacts.map(each => `  ${each.name}  ${formatAccount(each.account)}`)].join(
        '\n',
      ),
    )
    .join('\n');
}
