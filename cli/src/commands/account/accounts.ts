import { toHex } from '@zbc-signer/chain';
import { MAX_ACCOUNT_INDEX } from '@zbc-signer/protocol/limits';
import { withSigner } from '../../connection/device.js';
import { UsageError } from '../../errors/errors.js';
import { parseAccountIndex, parseWhole } from '../../input/values.js';
import { formatColumns } from '../../output/table.js';
import { defineCommand } from '../../parser/command.js';
import { DEVICE_OPTIONS } from '../../parser/options.js';

const DEFAULT_COUNT = '5';
const MAX_COUNT = 1000;

export const command = defineCommand({
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
