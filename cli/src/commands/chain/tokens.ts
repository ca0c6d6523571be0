import { cleanText, formatUnits } from '@zbc-signer/chain';
import { type Token, unknownTokenError } from '@zbc-signer/host';
import { createReader, openGateway, retryRead } from '../../connection/gateway.js';
import { parseId } from '../../input/values.js';
import { formatColumns, formatTable } from '../../output/table.js';
import { defineCommand } from '../../parser/command.js';
import { GATEWAY_OPTIONS } from '../../parser/options.js';

const MAX_CELL = 32;

export const command = defineCommand({
  arguments: { id: { describe: 'token id, which can be negative [all tokens]' } },
  options: { ...GATEWAY_OPTIONS },
  examples: [
    ['$0 tokens', 'ids, symbols, decimals and supplies'],
    ['$0 tokens 1', 'one token'],
  ],

  async run({ id, api }, terminal) {
    const gateway = openGateway({ api });
    const reader = createReader(terminal);
    if (id === undefined) {
      const tokens = await retryRead(reader, request => gateway.tokens(request));
      return { json: { tokens: tokens.map(tokenJson) }, text: listTokens(tokens) };
    }
    const tokenId = parseId('token', id);
    const token = await retryRead(reader, request => gateway.token(tokenId, request));
    if (token?.id !== tokenId) throw unknownTokenError(tokenId);
    return { json: tokenJson(token), text: describeToken(token) };
  },
});

function tokenJson({ id, symbol, name, decimals, supply }: Token): Record<string, unknown> {
  return {
    token_id: `${id}`,
    ...(symbol !== undefined && { symbol }),
    ...(name !== undefined && { name }),
    decimals,
    ...(supply !== undefined && { supply }),
  };
}

function listTokens(tokens: readonly Token[]): string {
  const rows = tokens.map(token => [
    `${token.id}`,
    cleanText(token.symbol ?? '', MAX_CELL),
    cleanText(token.name ?? '', MAX_CELL),
    `${token.decimals}`,
    describeSupply(token),
  ]);
  return formatColumns(['Token', 'Symbol', 'Name', 'Decimals', 'Supply'], rows, 'This chain has no tokens.');
}

function describeToken(token: Token): string {
  return formatTable([
    ['Token', `${token.id}`],
    ['Symbol', token.symbol ?? 'none'],
    ['Name', token.name ?? 'none'],
    ['Decimals', `${token.decimals}`],
    ['Supply', describeSupply(token)],
  ]);
}

function describeSupply({ supply, decimals }: Token): string {
  return supply === undefined ? 'not reported' : formatUnits(supply, decimals);
}
