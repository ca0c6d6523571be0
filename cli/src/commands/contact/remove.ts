import { withSigner } from '../../connection/device.js';
import { defineCommand } from '../../parser/command.js';
import { DEVICE_OPTIONS, GATEWAY_OPTIONS } from '../../parser/options.js';
import { openContactBook } from '../../transaction/contacts.js';

export const command = defineCommand({
  arguments: { name: { demandOption: true, describe: 'name of the contact' } },
  options: { device: DEVICE_OPTIONS.device, ...GATEWAY_OPTIONS },
  examples: [['$0 contact remove Bob', "forget this device's contact on this chain"]],
  notes: 'The device keeps no list: a copy of the contact stays valid for as long as the seed is used.',

  async run({ name, device, api }, terminal) {
    return withSigner(device, async signer => {
      await (await openContactBook(signer, { api }, terminal)).remove(name);
      return { json: { removed: name }, text: `${name} is no longer a contact.` };
    });
  },
});
