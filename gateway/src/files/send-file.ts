import type { FastifyReply, FastifyRequest } from 'fastify';
import { isKnownTag } from '../http/entity-tag.js';
import { sendError } from '../http/json-app.js';
import { bodiless, media, refusal } from '../openapi/records.js';
import type { PublishedFile } from './published-file.js';

/** The origin may serve a wallet: browsers must save these responses, not render them. */
const NEVER_RENDERED = {
  'content-type': 'application/octet-stream',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'x-content-type-options': 'nosniff',
};

/** The responses of a route that sends a file. */
export const ATTACHMENT = {
  200: media('application/octet-stream', 'The file, as an attachment'),
  206: media('application/octet-stream', 'The requested range'),
  304: bodiless('Not modified'),
  404: refusal('No such file'),
  412: refusal('The file is not the one that the request expects'),
  416: refusal('The range is outside the file'),
};

/** Answers GET and HEAD with the file, or with the part that a Range header selects. Closes the file. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: PublishedFile,
): Promise<FastifyReply> {
  const etag = `"${file.version}"`;
  reply.headers({ etag, 'cache-control': 'no-cache', 'accept-ranges': 'bytes' });
  if (!meetsCondition(request, etag, file.modifiedMs)) {
    await file.handle.close();
    return sendError(reply, 412, 'The file is not the one that the request expects');
  }
  if (isKnownTag(request.headers['if-none-match'], etag)) {
    await file.handle.close();
    return reply.code(304).removeHeader('content-type').send();
  }
  const range = request.method === 'GET' ? requestedRange(request, etag, file.size) : undefined;
  if (range === 'unsatisfiable') {
    await file.handle.close();
    reply.header('content-range', `bytes */${file.size}`);
    return sendError(reply, 416, `The range is outside the file, which has ${file.size} bytes`);
  }
  if (range !== undefined) {
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.size}`);
  }
  reply.headers({ ...NEVER_RENDERED, 'content-disposition': `attachment; filename="${file.name}"` });
  return sendBytes(request, reply, file, range ?? { start: 0, end: file.size - 1 });
}

/**
 * Whether the file meets If-Match, which needs a strong tag, or without it If-Unmodified-Since (RFC 9110
 * §13.1).
 */
function meetsCondition({ headers }: FastifyRequest, etag: string, modifiedMs: number): boolean {
  const known = headers['if-match']?.split(',').map(tag => tag.trim());
  if (known !== undefined) return known.includes(etag) || known.includes('*');
  const latestMs = Date.parse(headers['if-unmodified-since'] ?? '');
  return Number.isNaN(latestMs) || Math.floor(modifiedMs / 1000) * 1000 <= latestMs;
}

/** Ignores the range unless If-Range matches the file. */
function requestedRange({ headers }: FastifyRequest, etag: string, size: number) {
  const condition = headers['if-range'];
  return condition === undefined || condition === etag ? parseRange(headers.range, size) : undefined;
}

async function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  { handle }: PublishedFile,
  { start, end }: ByteRange,
): Promise<FastifyReply> {
  const length = end - start + 1;
  reply.header('content-length', length);
  if (request.method === 'HEAD' || length === 0) {
    await handle.close();
    return reply.send();
  }
  const stream = handle.createReadStream({ start, end });
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
}

const ONE_RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/i;

/**
 * Parses a Range header (RFC 9110 §14). Returns `unsatisfiable` if the range contains no byte of the file.
 * Returns undefined, which selects the whole file, for anything other than one range of bytes: a server may
 * ignore such a header.
 */
function parseRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = ONE_RANGE.exec(header ?? '') ?? [];
  if (first === '') return last === '' ? undefined : lastBytes(Number(last), size);
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start < size ? { start, end } : 'unsatisfiable';
}

function lastBytes(count: number, size: number): ByteRange | 'unsatisfiable' {
  const length = Math.min(count, size);
  return length > 0 ? { start: size - length, end: size - 1 } : 'unsatisfiable';
}
