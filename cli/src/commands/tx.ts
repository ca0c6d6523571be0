import {
  accountFromPublicKey,
  decodeTransaction,
  fromHex,
  KIND_ZBC,
  parseAccount,
  signingDigest,
  toHex,
} from '@zbc-signer/chain';
import {
  type Draft,
  formatDocument,
  parseDocument,
  parseSignedDocument,
  prepareTransaction,
  signTransaction,
  submitAndConfirm,
} from '@zbc-signer/host';
import { APPROVAL_ESCROW, SEND_ZBC } from '@zbc-signer/protocol/transaction-types';
import { withSigner } from '../connection/device.js';
import { openGateway } from '../connection/gateway.js';
import { inOption, UsageError } from '../errors/errors.js';
import { DOCUMENT_ARGUMENT, readDocument, readStdin } from '../input/files.js';
import { parseAccountIndex, parseDurationMs, parseHash } from '../input/values.js';
import { describeCheck, reportProgress } from '../output/progress.js';
import { formatTable } from '../output/table.js';
import type { Terminal } from '../output/terminal.js';
import { defineCommand, type Given } from '../parser/command.js';
import {
  DEVICE_OPTIONS,
  ESCROW_OPTIONS,
  FEE_IN_TOKEN_OPTIONS,
  GATEWAY_OPTIONS,
  SENDING_OPTIONS,
  SIGNING_OPTIONS,
} from '../parser/options.js';
import { contactsOf, type FindContacts, NO_CONTACTS } from '../transaction/contacts.js';
import { transactionJson, transactionRows } from '../transaction/fields.js';
import {
  openJournal,
  parseCoinsOption,
  parseDraftBase,
  parseEscrow,
  parseLimits,
  parseRecipient,
  readTokenDraft,
  viewResult,
} from '../transaction/sending.js';
import { parseSigning } from '../transaction/signing.js';

const { 'no-wait': _noWait, timeout: _timeout, ...DRAFT_OPTIONS } = SENDING_OPTIONS;
const TRANSFER = [
  'to',
  'amount',
  'token',
  ...Object.keys(FEE_IN_TOKEN_OPTIONS),
  ...Object.keys(ESCROW_OPTIONS),
];

const BUILD_OPTIONS = {
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
} as const;

const build = defineCommand({
  options: BUILD_OPTIONS,
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

async function readDraft(
  options: Given<typeof BUILD_OPTIONS>,
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

const sign = defineCommand({
  arguments: { file: DOCUMENT_ARGUMENT },
  options: {
    'max-fee': SENDING_OPTIONS['max-fee'],
    genesis: SENDING_OPTIONS.genesis,
    'allow-fee-in-token': FEE_IN_TOKEN_OPTIONS['allow-fee-in-token'],
    ...SIGNING_OPTIONS,
    device: DEVICE_OPTIONS.device,
  },
  examples: [
    ['$0 tx sign built.json > signed.json', 'needs no network; sign and submit within an hour of tx build'],
  ],

  async run(options, terminal) {
    const limits = parseLimits(options);
    const prepared = parseDocument(await readDocument(options.file, terminal.signal));
    if ('signature' in prepared) {
      throw new UsageError('the document is already signed', 'Submit it with `zbc-signer tx submit`.');
    }
    const report = reportProgress(terminal, true);
    const signed = await withSigner(options.device, signer =>
      signTransaction(prepared, {
        signer,
        ...limits,
        ...parseSigning(options),
        signal: terminal.signal,
        onProgress: event => {
          if (event.step === 'review') report(event);
          // Its other words are about sending, which this command does not do.
          else if (event.step === 'signed') terminal.report(describeCheck(event.antiExfil));
        },
      }),
    );
    terminal.close();
    process.stdout.write(`${formatDocument(signed)}\n`);
    return undefined;
  },
});

const submit = defineCommand({
  arguments: { file: DOCUMENT_ARGUMENT },
  options: {
    'no-wait': SENDING_OPTIONS['no-wait'],
    timeout: SENDING_OPTIONS.timeout,
    'pay-again': SENDING_OPTIONS['pay-again'],
    ...GATEWAY_OPTIONS,
  },
  examples: [
    ['$0 tx submit signed.json', 'submitting the same document a second time makes no second payment'],
  ],

  async run({ file, noWait, timeout, payAgain, api }, terminal) {
    const waitsForConfirmation = noWait !== true;
    const confirmationTimeoutMs = timeout === undefined ? undefined : parseDurationMs('--timeout', timeout);
    const gateway = openGateway({ api });
    const signed = parseSignedDocument(await readDocument(file, terminal.signal));
    const result = await submitAndConfirm(signed, {
      gateway,
      journal: openJournal(),
      paysAgain: payAgain === true,
      waitsForConfirmation,
      confirmationTimeoutMs,
      signal: terminal.signal,
      onProgress: reportProgress(terminal, false, waitsForConfirmation),
    });
    return viewResult(result);
  },
});

const MAX_INPUT_BYTES = 65_536;

const decode = defineCommand({
  arguments: {
    hex: {
      demandOption: true,
      describe: 'the unsigned bytes in hex; - reads them from stdin',
    },
  },
  options: {
    genesis: {
      describe: 'genesis hash, to compute the signing digest',
    },
  },
  examples: [['$0 tx decode 0100000001…', 'prints the fields, or the first error with its position']],

  async run({ hex, genesis }, { signal }) {
    const bytes = await readHex(hex, signal);
    const transaction = decodeTransaction(bytes);
    const digest = genesis && toHex(signingDigest(parseHash('--genesis', genesis), bytes));
    return {
      json: { ...transactionJson(transaction), size: bytes.length, ...(digest && { digest }) },
      text: formatTable([
        ...transactionRows(transaction),
        ['Size', `${bytes.length} bytes`],
        ...(digest ? [['Signing digest', digest] as const] : []),
      ]),
    };
  },
});

async function readHex(hex: string, signal: AbortSignal): Promise<Uint8Array> {
  const text = hex === '-' ? (await readStdin('the hex', MAX_INPUT_BYTES, signal)).toString('latin1') : hex;
  try {
    return fromHex(text.replace(/\s+/g, ''));
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'the text is not hex');
  }
}

export const commands = { build, sign, submit, decode };
