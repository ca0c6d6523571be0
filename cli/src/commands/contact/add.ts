import { formatAccount, parseAccount } from '@zbc-signer/chain';
import { checkContactName, networkName } from '@zbc-signer/host';
import { withSigner } from '../../connection/device.js';
import { inOption } from '../../errors/errors.js';
import { defineCommand } from '../../parser/command.js';
import { DEVICE_OPTIONS, GATEWAY_OPTIONS } from '../../parser/options.js';
import { openContactBook } from '../../transaction/contacts.js';
import { contactJson } from './fields.js';

export const command = defineCommand({
  arguments: {
    name: {
      demandOption: true,
      describe: '1 to 24 letters, digits or other characters of ASCII, such as Bob',
    },
    address: { demandOption: true, describe: 'a ZBC_ address or an account in hex' },
  },
  options: {
    replace: {
      type: 'boolean',
      describe: 'replace a contact of this name or this account, once the device has approved',
    },
    device: DEVICE_OPTIONS.device,
    ...GATEWAY_OPTIONS,
  },
  examples: [
    ['$0 contact add Bob ZBC_7VCH…', 'then compare the address on the device with what Bob told you'],
    ['$0 send --to Bob --amount 1.5', 'the device shows the name and the address'],
  ],
  notes:
    'Compare the address on the device with what the person told you over another channel, such as a call. Malware can change what this computer shows.',

  async run({ name, address, replace, device, api }, terminal) {
    checkContactName(name);
    const account = inOption('address', () => parseAccount(address));
    const { signal } = terminal;
    return withSigner(device, async signer => {
      const book = await openContactBook(signer, { api }, terminal);
      if (replace !== true) await book.checkNew(name, account);
      const { genesisHash } = book;
      terminal.report(
        `The device should show:\n  New contact  ${name}\n  Network  ${networkName(genesisHash)}\n  Address  ${formatAccount(account)}`,
      );
      await terminal.wait('Compare every character on the device, then approve or reject there');
      const contact = await signer.registerContact({ name, account, genesisHash }, { signal });
      await book.save(contact, { replaces: replace === true });
      return { json: contactJson(contact), text: `${name} is a contact of this device.` };
    });
  },
});
