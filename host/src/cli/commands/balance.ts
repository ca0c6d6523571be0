import type { Balance, TokenBalance } from '../../gateway/index.js';
import { defineCommand } from '../command.js';
import { DEVICE_OPTIONS, GATEWAY_OPTIONS, JSON_OPTION } from '../options.js';
import type { Outcome } from '../terminal.js';

export const balance = defineCommand({
  usage: 'balance [address]',
  summary: 'Show what an account holds, coins and tokens',
  configure: yargs =>
    yargs
      .positional('address', { type: 'string', describe: "account to look at [the device's own]" })
      .options({ ...DEVICE_OPTIONS, ...GATEWAY_OPTIONS, ...JSON_OPTION }),
  run: async (options, terminal) => {
    const [{ GatewayClient }, { defaultApi }] = await Promise.all([
      import('../../gateway/index.js'),
      import('../defaults.js'),
    ]);
    const gateway = new GatewayClient(options.api ?? defaultApi());
    const address = await findAddress(options, terminal.signal);
    const [account, tokens] = await Promise.all([
      gateway.account(address, { signal: terminal.signal }),
      gateway.accountTokens(address, { signal: terminal.signal }),
    ]);
    return view(address, account, tokens);
  },
});

interface AccountChoice {
  address?: string | undefined;
  device?: string | undefined;
  account?: string | undefined;
}

async function findAddress(
  { address, device, account }: AccountChoice,
  signal: AbortSignal,
): Promise<string> {
  const { encodeAccount, formatAccount, KIND_ZBC, parseAccount, toHex } = await import(
    '../../../../chain/src/index.js'
  );
  if (address !== undefined) {
    const parsed = parseAccount(address);
    return parsed.kind === KIND_ZBC ? formatAccount(parsed) : toHex(encodeAccount(parsed));
  }
  const [{ withSigner }, { parseAccountIndex }] = await Promise.all([
    import('../device.js'),
    import('../values.js'),
  ]);
  const index = parseAccountIndex(account);
  return withSigner(device, async signer => (await signer.getPublicKey(index, { signal })).address);
}

async function view(
  address: string,
  account: Balance | undefined,
  tokens: readonly TokenBalance[],
): Promise<Outcome> {
  const [{ formatCoins, formatUnits }, { formatTable }] = await Promise.all([
    import('../../../../chain/src/index.js'),
    import('../table.js'),
  ]);
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
      ['Balance', `${formatCoins(balance)} ZBC`],
      ['Spendable', `${formatCoins(spendable)} ZBC`],
      ...tokens.map(
        token =>
          [
            `Token ${token.id}`,
            `${formatUnits(token.balance, token.decimals)} ${token.symbol ?? ''}, ${formatUnits(token.spendable, token.decimals)} spendable`,
          ] as const,
      ),
    ]),
  };
}

function tokenJson({ id, symbol, decimals, balance, spendable }: TokenBalance): Record<string, unknown> {
  return {
    token_id: id,
    ...(symbol !== undefined && { symbol }),
    decimals,
    balance,
    spendable_balance: spendable,
  };
}
