import { formatAccount, fromHex, KIND_ZBC, parseAccount, toHex, verify } from '@zbc-signer/chain';
import { SIGNATURE_LENGTH } from '@zbc-signer/protocol/limits';
import { inOption, messageSignatureError, UsageError } from '../../errors/errors.js';
import { readMessage } from '../../input/stdin.js';
import { formatTable } from '../../output/table.js';
import { defineCommand } from '../../parser/command.js';

export const command = defineCommand({
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
