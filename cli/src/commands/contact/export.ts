import { formatContacts, loadContacts } from '@zbc-signer/host';
import { defineCommand } from '../../parser/command.js';
import { openContactFile } from '../../transaction/contacts.js';

export const command = defineCommand({
  examples: [['$0 contact export > contacts.json', 'whoever reads the file learns the names and accounts']],

  async run(_options, terminal) {
    const text = formatContacts(await loadContacts(openContactFile()));
    terminal.close();
    process.stdout.write(text);
    return undefined;
  },
});
