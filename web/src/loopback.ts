import { invalidReplyError } from './errors.js';

/** This limit is far above the length of a reply of 261 bytes in hex. */
const MAX_LENGTH = 4096;

/** Sends JSON to a program on this machine, without the user's cookies, and follows no redirect. */
export function postJson(
  fetch: typeof globalThis.fetch,
  url: string,
  body: object,
  signal: AbortSignal | undefined,
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    credentials: 'omit',
    redirect: 'error',
    cache: 'no-store',
    ...(signal !== undefined && { signal }),
  });
}

/** Reads the text of a response. Throws `INVALID_REPLY` if it is too long, and reads no more of it. */
export async function readBounded(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    text += decoder.decode(part.value, { stream: true });
    if (text.length > MAX_LENGTH) {
      await reader?.cancel();
      throw invalidReplyError('the response has more bytes than a reply can have');
    }
  }
  return text;
}
