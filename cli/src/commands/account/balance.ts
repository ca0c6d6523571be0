import { formatCoinAmount, formatUnits } from '@zbc-signer/chain';
import type { Balance, TokenBalance } from '@zbc-signer/host';
import { findAddress } from '../../connection/device.js';
import { createReader, openGateway, retryRead } from '../../connection/gateway.js';
import { formatTable } from '../../output/table.js';
import type { Outcome } from '../../output/terminal.js';
import { defineCommand } from '../../parser/command.js';
import { DEVICE_OPTIONS, GATEWAY_OPTIONS } from '../../parser/options.js';

export const command = defineCommand({
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
    return view(address, account, tokens);
  },
});

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
