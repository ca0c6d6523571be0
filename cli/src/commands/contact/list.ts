import { accountFromPublicKey, formatAccount } from '@zbc-signer/chain';
import { type Contact, loadContacts, networkName } from '@zbc-signer/host';
import { withSigner } from '../../connection/device.js';
import { formatTable } from '../../output/table.js';
import type { Terminal } from '../../output/terminal.js';
import { defineCommand } from '../../parser/command.js';
import { DEVICE_OPTIONS } from '../../parser/options.js';
import { openContactFile } from '../../transaction/contacts.js';
import { contactJson } from './fields.js';

export const command = defineCommand({
  options: {
    check: { type: 'boolean', describe: 'ask the device whether it accepts each contact' },
    device: DEVICE_OPTIONS.device,
  },
  examples: [['$0 contact list --check', 'find the contacts of another seed or passphrase']],

  async run({ check, device }, terminal) {
    const contacts = await loadContacts(openContactFile());
    const accepted = check === true ? await checkAll(contacts, device, terminal) : undefined;
    return {
      json: {
        contacts: contacts.map((contact, at) => ({
          ...contactJson(contact),
          ...(accepted && { accepted: accepted[at] ?? null }),
        })),
      },
      text: contacts.length === 0 ? 'There are no contacts.' : contacts.map(describe).join('\n\n'),
    };

    function describe({ name, account, genesisHash, signer }: Contact, at: number): string {
      return formatTable([
        ['Name', name],
        ['Address', formatAccount(account)],
        ['Network', networkName(genesisHash)],
        ['Account 0', formatAccount(accountFromPublicKey(signer))],
        ...(accepted ? [['This device', VERDICTS.get(accepted[at])!] as const] : []),
      ]);
    }
  },
});

const VERDICTS = new Map([
  [true, 'accepts it'],
  [false, 'refuses it: another seed, or changed'],
  [undefined, 'refuses its chain, which is unknown'],
]);

async function checkAll(
  contacts: readonly Contact[],
  device: string | undefined,
  { signal }: Terminal,
): Promise<(boolean | undefined)[]> {
  return withSigner(device, async signer => {
    const accepted: (boolean | undefined)[] = [];
    for (const contact of contacts) {
      const check = signer.checkContact(contact, { signal }).catch(error => {
        // The setting `Unknown chains` may refuse the contact's chain.
        if (error.code !== 'USER_REJECTED') throw error;
        return undefined;
      });
      accepted.push(await check);
    }
    return accepted;
  });
}
