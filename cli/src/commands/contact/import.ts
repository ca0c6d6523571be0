import { type Contact, parseContacts } from '@zbc-signer/host';
import { withSigner } from '../../connection/device.js';
import { readBytes } from '../../input/files.js';
import { defineCommand } from '../../parser/command.js';
import { DEVICE_OPTIONS, GATEWAY_OPTIONS } from '../../parser/options.js';
import { openContactBook } from '../../transaction/contacts.js';

const MAX_BYTES = 1_048_576;

export const command = defineCommand({
  arguments: { file: { demandOption: true, describe: 'file of `contact export`, or - for stdin' } },
  options: {
    replace: { type: 'boolean', describe: 'replace contacts of the same name or account' },
    device: DEVICE_OPTIONS.device,
    ...GATEWAY_OPTIONS,
  },
  examples: [['$0 contact import contacts.json', 'the device checks each contact']],

  async run({ file, replace, device, api }, terminal) {
    const { signal } = terminal;
    const given = parseContacts((await readBytes('contacts', file, MAX_BYTES, signal)).toString('utf8'));
    return withSigner(device, async signer => {
      const book = await openContactBook(signer, { api }, terminal);
      const added: string[] = [];
      const skipped: string[] = [];
      for (const contact of given) {
        const isAccepted = book.holds(contact) && (await signer.checkContact(contact, { signal }));
        if (isAccepted) await book.save(contact, { replaces: replace === true });
        (isAccepted ? added : skipped).push(contact.name);
      }
      return { json: { added, skipped }, text: describe(added, skipped) };
    });
  },
});

function describe(added: readonly string[], skipped: readonly Contact['name'][]): string {
  const others = skipped.length === 0 ? '' : `\nOf another device, seed or chain: ${skipped.join(', ')}`;
  return `Added: ${added.join(', ') || 'none'}${others}`;
}
