import { formatCoins, formatUnits } from '../../../../chain/src/index.js';
import type { Balance, TokenBalance } from '../../gateway/index.js';
import { findAddress } from '../device-address.js';
import { openGateway } from '../gateway.js';
import { createReader, retryRead } from '../reading.js';
import { formatTable } from '../table.js';
import type { Outcome, Terminal } from '../terminal.js';

interface BalanceOptions {
  address?: string | undefined;
  device?: string | undefined;
  account?: string | undefined;
  api?: string | undefined;
}

export async function showBalance(options: BalanceOptions, terminal: Terminal): Promise<Outcome> {
  const gateway = openGateway(options);
  const address = await findAddress(options, terminal.signal);
  const reader = createReader(terminal);
  const [account, tokens] = await Promise.all([
    retryRead(reader, request => gateway.account(address, request)),
    retryRead(reader, request => gateway.accountTokens(address, request)),
  ]);
  return view(address, account, tokens);
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
