import type { FastifyInstance } from 'fastify';
import { isKnownTag } from '../http/entity-tag.js';
import { readPage, sendPage } from '../pages/page.js';

/** The permissions that the page asks for; no other page of this origin, and no frame in it, has them. */
const PERMISSIONS = 'hid=(self), usb=(self), camera=(), geolocation=(), microphone=(), payment=(), serial=()';

/** `GET /wallet/`: the wallet page, which reads the chain from this gateway. */
export function addWalletRoutes(app: FastifyInstance): void {
  app.get('/wallet', (_request, reply) => reply.redirect('/wallet/', 308));
  app.get('/wallet/', async (request, reply) => {
    const page = await readPage('wallet');
    // The page is checked again at each visit, and sent only when it has changed.
    reply.headers({ 'cache-control': 'no-cache', 'permissions-policy': PERMISSIONS });
    return isKnownTag(request.headers['if-none-match'], page.headers.etag!)
      ? sendPage(reply.code(304), { ...page, html: undefined })
      : sendPage(reply, page);
  });
}
