import type { FastifyReply, FastifyRequest } from 'fastify';
import { isKnownTag } from '../http/entity-tag.js';
import { sendError } from '../http/json-app.js';
import { media, NO_BODY } from '../openapi/records.js';
import { closeFile, type PublishedFile } from './published-file.js';

/** The origin may serve a wallet: browsers must save these responses, not render them. */
const NEVER_RENDERED = {
  'content-type': 'application/octet-stream',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'x-content-type-options': 'nosniff',
};

/** The responses of a route that sends a file. */
export const ATTACHMENT = {
  200: media('application/octet-stream'),
  206: media('application/octet-stream'),
  304: NO_BODY,
};

/** Answers GET and HEAD with the file, or with the part that a Range header selects. Closes the file. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: PublishedFile,
): Promise<FastifyReply> {
  const { name, size, content } = file;
  const etag = `"${file.version}"`;
  reply.headers({ etag, 'cache-control': 'no-cache', 'accept-ranges': 'bytes' });
  const range = selectRange(request, etag, file);
  if (typeof range === 'number' || request.method === 'HEAD') await closeFile(file);
  if (range === 304) return reply.code(304).removeHeader('content-type').send();
  if (range === 412) return sendError(reply, 412, 'The file is not the one that the request expects');
  if (range === 416) {
    reply.header('content-range', `bytes */${size}`);
    return sendError(reply, 416, `The range is outside the file, which has ${size} bytes`);
  }
  const { start, end } = range;
  const length = end - start + 1;
  if (range.isPart) reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`);
  reply.headers({ ...NEVER_RENDERED, 'content-disposition': `attachment; filename="${name}"` });
  reply.header('content-length', length);
  if (request.method === 'HEAD') return reply.send();
  if (Buffer.isBuffer(content)) return reply.send(content.subarray(start, end + 1));
  const stream = content.createReadStream({ start, end });
  // If the file was truncated, the connection must break so that the client sees missing bytes.
  stream.once('end', () => {
    if (stream.bytesRead < length) reply.raw.destroy();
  });
  return reply.send(stream);
}

/** A byte range, inclusive at both ends. */
interface ByteRange {
  start: number;
  end: number;
  /** Whether a Range header selects it. */
  isPart?: boolean;
}

/** Returns the range to send, or the status of a response without bytes of the file (RFC 9110 §13.2.2). */
function selectRange(
  { method, headers }: FastifyRequest,
  etag: string,
  file: PublishedFile,
): ByteRange | 304 | 412 | 416 {
  if (!meetsCondition(headers, etag, file.modifiedMs)) return 412;
  if (isKnownTag(headers['if-none-match'], etag)) return 304;
  const condition = headers['if-range'];
  const isRanged = method === 'GET' && (condition === undefined || condition === etag);
  return (isRanged && parseRange(headers.range, file.size)) || { start: 0, end: file.size - 1 };
}

/**
 * Whether the file meets If-Match, which needs a strong tag, or without it If-Unmodified-Since (RFC 9110
 * §13.1).
 */
function meetsCondition(headers: FastifyRequest['headers'], etag: string, modifiedMs: number): boolean {
  const known = headers['if-match']?.split(',').map(tag => tag.trim());
  if (known !== undefined) return known.includes(etag) || known.includes('*');
  const latestMs = Date.parse(headers['if-unmodified-since'] ?? '');
  return Number.isNaN(latestMs) || Math.floor(modifiedMs / 1000) * 1000 <= latestMs;
}

const ONE_RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/i;

/**
 * Parses a Range header (RFC 9110 §14). Returns 416 if the range contains no byte of the file. Returns
 * undefined, which selects the whole file, for anything other than one range of bytes: a server may ignore
 * such a header.
 */
function parseRange(header: string | undefined, size: number): ByteRange | 416 | undefined {
  const [, first = '', last = ''] = ONE_RANGE.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Number(last);
  if (first !== '' && last !== '' && end < start) return undefined;
  return start < size ? { start, end: Math.min(end, size - 1), isPart: true } : 416;
}
