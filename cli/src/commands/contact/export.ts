import { formatContacts } from '@zbc-signer/host';
import { defineCommand } from '../../parser/command.js';
import { readContacts } from './fields.js';

export const command = defineCommand({
  examples: [['$0 contact export > contacts.json', 'whoever reads the file learns the names and accounts']],

  async run(_options, terminal) {
    const text = formatContacts(await readContacts());
    terminal.close();
    process.stdout.write(text);
    return undefined;
  },
});
