import { accountFromPublicKey, KIND_ZBC, parseAccount } from '@zbc-signer/chain';
import { type Draft, formatDocument, prepareTransaction } from '@zbc-signer/host';
import { APPROVAL_ESCROW, SEND_ZBC } from '@zbc-signer/protocol/transaction-types';
import { withSigner } from '../../connection/device.js';
import { openGateway } from '../../connection/gateway.js';
import { inOption, UsageError } from '../../errors/errors.js';
import { parseAccountIndex, parseHash } from '../../input/values.js';
import { reportProgress } from '../../output/progress.js';
import type { Terminal } from '../../output/terminal.js';
import { defineCommand } from '../../parser/command.js';
import {
  DEVICE_OPTIONS,
  ESCROW_OPTIONS,
  FEE_IN_TOKEN_OPTIONS,
  GATEWAY_OPTIONS,
  SENDING_OPTIONS,
} from '../../parser/options.js';
import { contactsOf, type FindContacts, NO_CONTACTS } from '../../transaction/contacts.js';
import {
  type EscrowOptions,
  openJournal,
  parseCoinsOption,
  parseDraftBase,
  parseEscrow,
  parseLimits,
  parseRecipient,
  type SendingOptions,
} from '../../transaction/sending.js';
import { readTokenDraft } from '../../transaction/token-draft.js';

const { 'no-wait': _noWait, timeout: _timeout, ...DRAFT_OPTIONS } = SENDING_OPTIONS;
const TRANSFER = [
  'to',
  'amount',
  'token',
  ...Object.keys(FEE_IN_TOKEN_OPTIONS),
  ...Object.keys(ESCROW_OPTIONS),
];

export const command = defineCommand({
  options: {
    from: {
      describe:
        "ZBC_ address of the sender; no device is asked, and no contact is added [the device's account]",
    },
    to: {
      describe: 'recipient: a ZBC_ address, an account in hex or, without --from, the name of a contact',
    },
    amount: { describe: 'amount in coins, or in whole units of the token, such as 1.5' },
    token: { describe: 'id of a token to send [coins]' },
    ...FEE_IN_TOKEN_OPTIONS,
    approve: { describe: 'hash of an escrowed transfer to approve' },
    reject: { describe: 'hash of an escrowed transfer to reject' },
    ...DRAFT_OPTIONS,
    ...ESCROW_OPTIONS,
    ...DEVICE_OPTIONS,
    ...GATEWAY_OPTIONS,
  },
  conflicts: { approve: ['reject', ...TRANSFER], reject: TRANSFER, from: ['device'] },
  examples: [
    [
      '$0 tx build --from ZBC_L2HL… --to ZBC_7VCH… --amount 1.5 > built.json',
      'build the transaction, without a device',
    ],
    ['$0 tx sign built.json > signed.json', 'sign it, on a computer without a network'],
    ['$0 tx submit signed.json', 'submit it, from any computer'],
  ],

  async run(options, terminal) {
    const account = parseAccountIndex(options.account);
    const limits = parseLimits(options);
    const prepare = async (findContacts: FindContacts, readSender: () => Promise<Uint8Array>) =>
      prepareTransaction(await readDraft(options, terminal, findContacts), {
        gateway: openGateway(options),
        publicKey: await readSender(),
        account,
        ...limits,
        contacts: await findContacts(),
        allowsZeroAmount: options.allowZero === true,
        journal: openJournal(),
        paysAgain: options.payAgain === true,
        signal: terminal.signal,
        onProgress: reportProgress(terminal, false),
      });
    const { from, device } = options;
    const { signal } = terminal;
    const prepared =
      from === undefined
        ? await withSigner(device, signer =>
            prepare(
              contactsOf(signer, options, terminal),
              async () => (await signer.getPublicKey(account, { signal })).publicKey,
            ),
          )
        : await prepare(NO_CONTACTS, async () => parseSender(from));
    terminal.close();
    process.stdout.write(`${formatDocument(prepared)}\n`);
    return undefined;
  },
});

interface BuildOptions extends SendingOptions, EscrowOptions {
  from?: string | undefined;
  to?: string | undefined;
  amount?: string | undefined;
  token?: string | undefined;
  approve?: string | undefined;
  reject?: string | undefined;
}

async function readDraft(
  options: BuildOptions,
  terminal: Terminal,
  findContacts: FindContacts,
): Promise<Draft> {
  const { token, amount } = options;
  const base = parseDraftBase(options);
  for (const approval of ['approve', 'reject'] as const) {
    const hash = options[approval];
    if (hash === undefined) continue;
    return { type: APPROVAL_ESCROW, approval, escrowHash: parseHash(`--${approval}`, hash), ...base };
  }
  if (amount === undefined) {
    throw new UsageError(
      '--amount is missing: give an amount, or decide an escrow with --approve or --reject',
    );
  }
  if (token !== undefined) return readTokenDraft({ ...options, token, amount }, terminal, findContacts);
  if (options.feeInToken !== undefined)
    throw new UsageError('--fee-in-token is only for a token: add --token');
  return {
    type: SEND_ZBC,
    recipient: await parseRecipient(options.to, findContacts),
    amount: parseCoinsOption('--amount', amount),
    escrow: await parseEscrow(options, findContacts),
    ...base,
  };
}

/** An address contains the public key, so building needs no device. */
function parseSender(from: string): Uint8Array {
  const { kind, payload } = inOption('--from', () => parseAccount(from));
  if (kind !== KIND_ZBC)
    throw new UsageError('--from must be a ZBC_ address: a signer signs only for accounts of this kind');
  return accountFromPublicKey(payload).payload;
}
