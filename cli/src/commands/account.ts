import {
  formatAccount,
  formatCoinAmount,
  formatUnits,
  fromHex,
  KIND_ZBC,
  parseAccount,
  toHex,
  verify,
} from '@zbc-signer/chain';
import {
  type Balance,
  formatText,
  MAX_EVIDENCE_LENGTH,
  type NonceVerdict,
  type TokenBalance,
  verifyNonceEvidence,
} from '@zbc-signer/host';
import { MAX_ACCOUNT_INDEX, SIGNATURE_LENGTH } from '@zbc-signer/protocol/limits';
import { findAddress, withSigner } from '../connection/device.js';
import { createReader, openGateway, retryRead } from '../connection/gateway.js';
import { inOption, messageSignatureError, UsageError } from '../errors/errors.js';
import { readBytes, readMessage } from '../input/files.js';
import { parseAccountIndex, parseWhole } from '../input/values.js';
import { describeCheck } from '../output/progress.js';
import { formatColumns, formatTable } from '../output/table.js';
import type { Outcome } from '../output/terminal.js';
import { defineCommand } from '../parser/command.js';
import { DEVICE_OPTIONS, GATEWAY_OPTIONS, SIGNING_OPTIONS } from '../parser/options.js';
import { parseSigning } from '../transaction/signing.js';

const address = defineCommand({
  options: {
    show: {
      type: 'boolean',
      describe: 'also show the address on the device, where you compare and approve it',
    },
    ...DEVICE_OPTIONS,
  },
  examples: [
    ['$0 address --show', 'the safe way to receive: compare the two addresses before you share yours'],
  ],

  async run(options, terminal) {
    const account = parseAccountIndex(options.account);
    const confirmed = options.show === true;
    const { signal } = terminal;
    return withSigner(options.device, async signer => {
      const { address, publicKey } = await signer.getPublicKey(account, { signal });
      if (confirmed) {
        terminal.report(`The device should show:\n  Address  ${address}`);
        await terminal.wait('Compare every character on the device, then approve or reject there');
        await signer.getPublicKey(account, { signal, confirm: true });
      }
      return { json: { account, address, public_key: toHex(publicKey), confirmed }, text: address };
    });
  },
});

const DEFAULT_COUNT = '5';
const MAX_COUNT = 1000;

const accounts = defineCommand({
  options: {
    count: {
      describe: `number of accounts, at most ${MAX_COUNT} [${DEFAULT_COUNT}]`,
    },
    device: DEVICE_OPTIONS.device,
    account: { ...DEVICE_OPTIONS.account, describe: 'index of the first account [0]' },
  },
  examples: [['$0 accounts --count 10', 'accounts 0 to 9']],

  async run(options, { signal }) {
    const first = parseAccountIndex(options.account);
    const count = parseWhole('--count', options.count ?? DEFAULT_COUNT, MAX_COUNT, 1);
    if (first + count - 1 > MAX_ACCOUNT_INDEX) {
      throw new UsageError(`--account and --count reach beyond the last account, ${MAX_ACCOUNT_INDEX}`);
    }
    const indexes = Array.from({ length: count }, (_, at) => first + at);
    return withSigner(options.device, async signer => {
      const accounts = [];
      for (const account of indexes) {
        accounts.push({ account, ...(await signer.getPublicKey(account, { signal })) });
      }
      return {
        json: {
          accounts: accounts.map(({ account, address, publicKey }) => ({
            account,
            address,
            public_key: toHex(publicKey),
          })),
        },
        text: formatColumns(
          ['Account', 'Address'],
          accounts.map(({ account, address }) => [`${account}`, address]),
          '',
        ),
      };
    });
  },
});

const balance = defineCommand({
  arguments: { address: { describe: "the account [the device's]" } },
  options: { ...DEVICE_OPTIONS, ...GATEWAY_OPTIONS },
  examples: [
    ['$0 balance', "the device's account 0"],
    ['$0 balance ZBC_7VCH…', 'any account'],
  ],

  async run(options, terminal) {
    const gateway = openGateway(options);
    const address = await findAddress(options, terminal.signal);
    const reader = createReader(terminal);
    const [account, tokens] = await Promise.all([
      retryRead(reader, request => gateway.account(address, request)),
      retryRead(reader, request => gateway.accountTokens(address, request)),
    ]);
    return viewBalance(address, account, tokens);
  },
});

function viewBalance(
  address: string,
  account: Balance | undefined,
  tokens: readonly TokenBalance[],
): Outcome {
  const { balance, spendable } = account ?? { balance: 0n, spendable: 0n };
  return {
    json: {
      address,
      known: account !== undefined,
      balance,
      spendable_balance: spendable,
      tokens: tokens.map(tokenJson),
    },
    text: formatTable([
      ['Address', account === undefined ? `${address} (not on this chain yet)` : address],
      ['Balance', formatCoinAmount(balance)],
      ['Spendable', formatCoinAmount(spendable)],
      ...tokens.map(token => [`Token ${token.id}`, describeToken(token)] as const),
    ]),
  };
}

function tokenJson({ id, symbol, decimals, balance, spendable }: TokenBalance): Record<string, unknown> {
  const named = symbol === undefined ? {} : { symbol };
  return { token_id: `${id}`, ...named, decimals, balance, spendable_balance: spendable };
}

function describeToken({ symbol, decimals, balance, spendable }: TokenBalance): string {
  const unit = symbol === undefined ? '' : ` ${symbol}`;
  return `${formatUnits(balance, decimals)}${unit}, ${formatUnits(spendable, decimals)} spendable`;
}

const signMessage = defineCommand({
  arguments: {
    text: {
      demandOption: true,
      describe: 'the text: printable ASCII and line feeds; - reads it from stdin, byte for byte',
    },
  },
  options: { ...SIGNING_OPTIONS, ...DEVICE_OPTIONS },
  examples: [
    ['$0 sign-message "Sign in to example.org"', 'raw Ed25519 signature of exactly these bytes'],
    ['$0 sign-message -- "--text--"', 'a text that starts with a dash'],
    ['printf %s "$text" | $0 sign-message -', 'the text from stdin'],
  ],

  async run(options, terminal) {
    const account = parseAccountIndex(options.account);
    const { signal } = terminal;
    const message = await readMessage(options.text, signal);
    const signing = parseSigning(options);
    return withSigner(options.device, async signer => {
      const { address, publicKey } = await signer.getPublicKey(account, { signal });
      if (signing.antiExfil !== 'off') await signing.record.readTrusted(publicKey, signing.allowsWithheld);
      const items = [['Account', address] as const, ['Message', formatText(message)] as const];
      terminal.report(`The device should show:\n${formatTable(items, '  ')}`);
      await terminal.wait('Compare every page on the device, then approve or reject there');
      const signed = await signer.signMessage(account, message, { ...signing, signal });
      terminal.report(describeCheck(signed.antiExfil));
      const signature = toHex(signed.signature);
      const check = signed.antiExfil && { anti_exfil: { withheld: signed.antiExfil.withheld } };
      return {
        json: { account, address, public_key: toHex(publicKey), signature, ...check },
        text: signature,
      };
    });
  },
});

const verifyNonce = defineCommand({
  arguments: { file: { demandOption: true, describe: 'the file with the evidence, or - for stdin' } },
  options: {},
  examples: [
    [
      '$0 verify-nonce nonce-evidence-1796000000000.json',
      'offline, without a device; exits with code 2 if the file shows no fault',
    ],
  ],

  async run({ file }, { signal }) {
    const text = (await readBytes('evidence', file, MAX_EVIDENCE_LENGTH, signal)).toString('utf8');
    const { fault, publicKey, isShown, isSigned } = readEvidence(text);
    if (!isShown)
      throw new UsageError(`the file does not show ${fault}: an honest device can give its values`);
    return {
      json: { fault, public_key: toHex(publicKey), message_signed: isSigned },
      text: formatTable([
        ['Fault', fault],
        ['Public key', toHex(publicKey)],
        ['Has a signature of the key', isSigned ? 'yes' : 'no'],
        ['Made by', 'whoever gave you the file: anybody can write one'],
      ]),
    };
  },
});

function readEvidence(text: string): NonceVerdict {
  try {
    return verifyNonceEvidence(text);
  } catch (error) {
    throw new UsageError(
      (error as Error).message,
      'Name the file that the error of the signing command named.',
    );
  }
}

const verifyMessage = defineCommand({
  arguments: {
    text: {
      demandOption: true,
      describe: 'the signed text; - reads it from stdin, byte for byte',
    },
  },
  options: {
    address: {
      demandOption: true,
      describe: 'ZBC_ address of the account that signed',
    },
    signature: {
      demandOption: true,
      describe: 'the signature: 128 hex digits, as `sign-message` prints them',
    },
  },
  examples: [
    [
      '$0 verify-message "Sign in to example.org" --address ZBC_7VCH… --signature 63d0…',
      'offline, without a device; exits with code 11 if the signature does not match',
    ],
  ],

  async run(options, { signal }) {
    const { kind, payload: publicKey } = inOption('--address', () => parseAccount(options.address));
    if (kind !== KIND_ZBC)
      throw new UsageError(
        '--address must be a ZBC_ address: signatures of other accounts cannot be verified',
      );
    const signature = parseSignature(options.signature);
    const message = await readMessage(options.text, signal);
    const address = formatAccount({ kind, payload: publicKey });
    if (!verify(signature, message, publicKey)) throw messageSignatureError(address);
    return {
      json: { valid: true, address, public_key: toHex(publicKey), bytes: message.length },
      text: formatTable([
        ['Signature', 'valid'],
        ['Signed by', address],
        ['Message', `${message.length} bytes`],
      ]),
    };
  },
});

function parseSignature(text: string): Uint8Array {
  const digits = text.trim().replace(/^0x/i, '');
  if (!/^[0-9a-f]*$/i.test(digits) || digits.length !== 2 * SIGNATURE_LENGTH) {
    throw new UsageError(`--signature must be ${2 * SIGNATURE_LENGTH} hex digits`);
  }
  return fromHex(digits);
}

export const commands = {
  address,
  accounts,
  balance,
  'sign-message': signMessage,
  'verify-message': verifyMessage,
  'verify-nonce': verifyNonce,
};
