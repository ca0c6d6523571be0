import { formatAccount } from '@zbc-signer/chain';
import { type Contact, networkName } from '@zbc-signer/host';
import { withSigner } from '../../connection/device.js';
import { formatTable } from '../../output/table.js';
import type { Terminal } from '../../output/terminal.js';
import { defineCommand } from '../../parser/command.js';
import { DEVICE_OPTIONS } from '../../parser/options.js';
import { contactJson, readContacts } from './fields.js';

export const command = defineCommand({
  options: {
    check: { type: 'boolean', describe: 'ask the device whether it accepts each contact' },
    device: DEVICE_OPTIONS.device,
  },
  examples: [['$0 contact list --check', 'find the contacts of another seed or passphrase']],

  async run({ check, device }, terminal) {
    const contacts = await readContacts();
    const accepted = check === true ? await checkAll(contacts, device, terminal) : undefined;
    return {
      json: {
        contacts: contacts.map((contact, at) => ({
          ...contactJson(contact),
          ...(accepted && { accepted: accepted[at] }),
        })),
      },
      text: contacts.length === 0 ? 'There are no contacts.' : contacts.map(describe).join('\n\n'),
    };

    function describe({ name, account, genesisHash }: Contact, at: number): string {
      return formatTable([
        ['Name', name],
        ['Address', formatAccount(account)],
        ['Network', networkName(genesisHash)],
        ...(accepted ? [['This device', accepted[at] ? 'accepts it' : 'has another seed'] as const] : []),
      ]);
    }
  },
});

async function checkAll(
  contacts: readonly Contact[],
  device: string | undefined,
  { signal }: Terminal,
): Promise<boolean[]> {
  return withSigner(device, async signer => {
    const accepted: boolean[] = [];
    for (const contact of contacts) accepted.push(await signer.checkContact(contact, { signal }));
    return accepted;
  });
}
