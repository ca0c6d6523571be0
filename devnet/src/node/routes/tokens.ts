import type { FastifyInstance } from 'fastify';
import { findToken, TOKENS } from '../genesis.js';
import { found, MIN_I64, parseIntegerParameter } from '../http/parameters.js';
import { viewToken } from '../views/account.js';

interface TokenPath {
  Params: { tokenId: string };
}

export function addTokenRoutes(app: FastifyInstance): void {
  app.get('/api/v1/tokens', () => ({ tokens: TOKENS.map(viewToken) }));
  app.get<TokenPath>('/api/v1/tokens/:tokenId', ({ params }) => {
    const id = parseIntegerParameter('token id', params.tokenId, MIN_I64);
    return viewToken(found(findToken(id), 'Token'));
  });
}
