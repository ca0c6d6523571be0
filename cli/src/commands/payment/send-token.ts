import { defineCommand } from '../../parser/command.js';
import {
  DEVICE_OPTIONS,
  ESCROW_OPTIONS,
  FEE_IN_TOKEN_OPTIONS,
  GATEWAY_OPTIONS,
  SENDING_OPTIONS,
} from '../../parser/options.js';
import type { FindContacts } from '../../transaction/contacts.js';
import { sendFromDevice } from '../../transaction/sending.js';
import { readTokenDraft } from '../../transaction/token-draft.js';

export const command = defineCommand({
  options: {
    token: {
      demandOption: true,
      describe: 'token id; write a negative id as --token=-42',
    },
    to: {
      demandOption: true,
      describe: 'recipient: a ZBC_ address, an account in hex or the name of a contact',
    },
    amount: {
      demandOption: true,
      describe: 'amount in whole units of the token, such as 2.5',
    },
    ...FEE_IN_TOKEN_OPTIONS,
    ...SENDING_OPTIONS,
    ...ESCROW_OPTIONS,
    ...DEVICE_OPTIONS,
    ...GATEWAY_OPTIONS,
  },
  examples: [['$0 send-token --token 1 --to ZBC_7VCH… --amount 2.5', 'send 2.5 of token 1']],

  async run(options, terminal) {
    const makeDraft = (findContacts: FindContacts) => readTokenDraft(options, terminal, findContacts);
    return sendFromDevice(makeDraft, options, terminal);
  },
});
