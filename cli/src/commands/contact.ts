import { accountFromPublicKey, accountText, formatAccount, parseAccount } from '@zbc-signer/chain';
import {
  type Contact,
  checkContactName,
  formatContacts,
  type ImportedContacts,
  loadContacts,
  MAX_CONTACTS_LENGTH,
  networkName,
  parseContacts,
} from '@zbc-signer/host';
import { withSigner } from '../connection/device.js';
import { inOption } from '../errors/errors.js';
import { readBytes } from '../input/files.js';
import { formatTable } from '../output/table.js';
import type { Terminal } from '../output/terminal.js';
import { defineCommand } from '../parser/command.js';
import { DEVICE_OPTIONS, GATEWAY_OPTIONS } from '../parser/options.js';
import { openContactBook, openContactFile } from '../transaction/contacts.js';

/** A contact in JSON; the account in the form that `--to` accepts. */
function contactJson({ name, account, genesisHash, signer }: Contact): Record<string, unknown> {
  return {
    name,
    account: accountText(account),
    genesis_hash: genesisHash,
    signer,
  };
}

const add = defineCommand({
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

const list = defineCommand({
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

const remove = defineCommand({
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

const exportAll = defineCommand({
  examples: [['$0 contact export > contacts.json', 'whoever reads the file learns the names and accounts']],

  async run(_options, terminal) {
    const text = formatContacts(await loadContacts(openContactFile()));
    terminal.close();
    process.stdout.write(text);
    return undefined;
  },
});

const importAll = defineCommand({
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
        text: describeImported(lists) || 'The file has no contacts.',
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

function describeImported(lists: readonly (readonly [keyof ImportedContacts, readonly Contact[]])[]): string {
  return lists
    .filter(([, contacts]) => contacts.length > 0)
    .map(([name, contacts]) =>
      [`${WORDS[name]}:`, ...contacts.map(each => `  ${each.name}  ${formatAccount(each.account)}`)].join(
        '\n',
      ),
    )
    .join('\n');
}

export const commands = { add, list, remove, export: exportAll, import: importAll };
