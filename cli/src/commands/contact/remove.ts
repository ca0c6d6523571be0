import { formatContacts, loadContacts } from '@zbc-signer/host';
import { withSigner } from '../../connection/device.js';
import { defineCommand } from '../../parser/command.js';
import { DEVICE_OPTIONS, GATEWAY_OPTIONS } from '../../parser/options.js';
import { openContactBook, openContactFile } from '../../transaction/contacts.js';

export const command = defineCommand({
  arguments: { name: { demandOption: true, describe: 'name of the contact' } },
  options: { device: DEVICE_OPTIONS.device, ...GATEWAY_OPTIONS },
  examples: [['$0 contact remove Bob', 'forget a contact']],
  notes:
    'If several seeds or chains have the name, the contact of this device on the chain of --api is removed; otherwise no device is asked. The device keeps no list: a copy of the contact stays valid for as long as the seed is used.',

  async run({ name, device, api }, terminal) {
    const contacts = await loadContacts(openContactFile());
    const others = contacts.filter(contact => contact.name !== name);
    if (contacts.length - others.length === 1) {
      await openContactFile().store(formatContacts(others));
    } else {
      await withSigner(device, async signer =>
        (await openContactBook(signer, { api }, terminal)).remove(name),
      );
    }
    return { json: { removed: name }, text: `${name} is no longer a contact.` };
  },
});
