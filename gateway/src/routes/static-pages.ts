import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RequestError } from '../base/errors.js';
import { asAttachment, sendFile } from '../files/send-file.js';
import { hasIndex, openStatic, type StaticPage } from '../files/static-page.js';
import { acceptsCoding } from '../http/content-coding.js';
import { addVary } from '../http/vary.js';

/**
 * Own scripts only, so that nothing from elsewhere runs in the origin of the wallet page; no frame around
 * them.
 */
const CONTENT_POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "style-src 'self' 'unsafe-inline'",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');
/** The signer's interfaces are for the wallet page alone. */
const PERMISSIONS = 'hid=(), usb=(), serial=(), camera=(), geolocation=(), microphone=(), payment=()';

const SHOWN = {
  'content-security-policy': CONTENT_POLICY,
  'permissions-policy': PERMISSIONS,
  'referrer-policy': 'strict-origin-when-cross-origin',
};

/** `GET /` and what is below it, where no other route is: the operator's own files. */
export function addStaticPages(app: FastifyInstance, directory: string): void {
  const method = ['GET', 'HEAD'];
  const handler = (request: FastifyRequest, reply: FastifyReply) => sendPage(directory, request, reply);
  app.route({ method, url: '/', handler });
  app.route({ method, url: '/*', handler });
}

async function sendPage(
  directory: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const path = request.url.split('?', 1)[0]!.slice(1);
  const accepts = (coding: string) => acceptsCoding(request.headers['accept-encoding'], coding);
  const page = await openStatic(directory, path, accepts);
  if (page !== undefined) return sendFile(request, reply, page.file, headersOf(page, reply));
  if (await hasIndex(directory, path)) return reply.redirect(`/${path}/`, 308);
  throw new RequestError(404, 'No such page');
}

function headersOf({ file, type, coding }: StaticPage, reply: FastifyReply): Record<string, string> {
  if (type === undefined) return asAttachment(file);
  addVary(reply, 'accept-encoding');
  return { ...SHOWN, 'content-type': type, ...(coding && { 'content-encoding': coding }) };
}
