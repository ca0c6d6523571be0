import { cleanText, formatUnits } from '../../../../chain/src/index.js';
import { UnknownTokenError } from '../../flow/errors.js';
import type { Token } from '../../gateway/index.js';
import { openGateway } from '../gateway.js';
import { createReader, retryRead } from '../reading.js';
import { formatColumns, formatTable } from '../table.js';
import type { Outcome, Terminal } from '../terminal.js';
import { parseId } from '../values.js';

const MAX_CELL = 32;

interface TokenOptions {
  id?: string | undefined;
  api?: string | undefined;
}

export async function showTokens({ id, api }: TokenOptions, terminal: Terminal): Promise<Outcome> {
  const gateway = openGateway({ api });
  const reader = createReader(terminal);
  if (id === undefined) {
    const tokens = await retryRead(reader, request => gateway.tokens(request));
    return { json: { tokens: tokens.map(tokenJson) }, text: listTokens(tokens) };
  }
  const tokenId = parseId('the token', id);
  const token = await retryRead(reader, request => gateway.token(tokenId, request));
  if (token?.id !== tokenId) {
    throw new UnknownTokenError(tokenId);
  }
  return { json: tokenJson(token), text: describeToken(token) };
}

function tokenJson({ id, symbol, name, decimals, supply }: Token): Record<string, unknown> {
  return {
    token_id: id,
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
  return supply === undefined ? 'not told' : formatUnits(supply, decimals);
}
