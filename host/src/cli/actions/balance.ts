import {
  encodeAccount,
  formatAccount,
  formatCoins,
  formatUnits,
  KIND_ZBC,
  parseAccount,
  toHex,
} from '../../../../chain/src/index.js';
import { type Balance, GatewayClient, type TokenBalance } from '../../gateway/index.js';
import { defaultApi } from '../defaults.js';
import { withSigner } from '../device.js';
import { createReader, retryRead } from '../reading.js';
import { formatTable } from '../table.js';
import type { Outcome, Terminal } from '../terminal.js';
import { parseAccountIndex } from '../values.js';

interface BalanceOptions {
  address?: string | undefined;
  device?: string | undefined;
  account?: string | undefined;
  api?: string | undefined;
}

export async function showBalance(options: BalanceOptions, terminal: Terminal): Promise<Outcome> {
  const gateway = new GatewayClient(options.api ?? defaultApi());
  const address = await findAddress(options, terminal.signal);
  const reader = createReader(terminal);
  const [account, tokens] = await Promise.all([
    retryRead(reader, request => gateway.account(address, request)),
    retryRead(reader, request => gateway.accountTokens(address, request)),
  ]);
  return view(address, account, tokens);
}

/** As the account routes take it: the address given, or that of the device's account. */
async function findAddress(
  { address, device, account }: BalanceOptions,
  signal: AbortSignal,
): Promise<string> {
  if (address !== undefined) {
    const parsed = parseAccount(address);
    return parsed.kind === KIND_ZBC ? formatAccount(parsed) : toHex(encodeAccount(parsed));
  }
  const index = parseAccountIndex(account);
  return withSigner(device, async signer => (await signer.getPublicKey(index, { signal })).address);
}

function view(address: string, account: Balance | undefined, tokens: readonly TokenBalance[]): Outcome {
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
      ...tokens.map(token => [`Token ${token.id}`, describeToken(token)] as const),
    ]),
  };
}

function tokenJson({ id, symbol, decimals, balance, spendable }: TokenBalance): Record<string, unknown> {
  const named = symbol === undefined ? {} : { symbol };
  return { token_id: id, ...named, decimals, balance, spendable_balance: spendable };
}

function describeToken({ symbol, decimals, balance, spendable }: TokenBalance): string {
  const unit = symbol === undefined ? '' : ` ${symbol}`;
  return `${formatUnits(balance, decimals)}${unit}, ${formatUnits(spendable, decimals)} spendable`;
}
