import { errors, file, ownRoute, type Paths } from '../operation.js';

const ABSENT = errors({ 404: 'The gateway serves no wallet' });

export const WALLET_PATHS: Paths = {
  '/wallet': {
    get: ownRoute({
      operationId: 'walletRedirect',
      summary: 'Redirects to the wallet page',
      answers: { 308: { description: 'To /wallet/' }, ...ABSENT },
    }),
  },
  '/wallet/': {
    get: ownRoute({
      operationId: 'walletPage',
      summary: 'The wallet page',
      answers: {
        200: file('The page', 'text/html'),
        304: { description: 'The page has not changed' },
        ...ABSENT,
      },
    }),
  },
};
