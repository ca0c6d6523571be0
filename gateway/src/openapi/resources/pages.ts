import { errors, file, inPath, ownRoute, type Paths } from '../operation.js';

const TOKEN = { type: 'string', pattern: '^[A-Za-z0-9_-]+$' };

export const PAGE_PATHS: Paths = {
  '/': {
    get: ownRoute({
      operationId: 'ownPage',
      summary: "The operator's first page; its other pages are below it",
      answers: {
        200: file('The page', 'text/html'),
        206: file('The requested range', 'text/html'),
        304: { description: 'Not modified' },
        ...errors({ 404: 'The gateway serves no pages', 416: 'The range is outside the file' }),
      },
    }),
  },
  '/.well-known/acme-challenge/{token}': {
    get: ownRoute({
      operationId: 'acmeChallenge',
      summary: 'Shows a certificate authority whose host name this is (RFC 8555)',
      parameters: [inPath('token', TOKEN, 'Of the challenge')],
      answers: {
        200: file('The key authorization', 'application/octet-stream'),
        ...errors({ 404: 'No such challenge' }),
      },
    }),
  },
};
