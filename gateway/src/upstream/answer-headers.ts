/** What passes from a node's answer to a client; nothing else that a node says about its answer is believed. */
const PASSED = new Set([
  'content-type',
  'content-encoding',
  'etag',
  'last-modified',
  'cache-control',
  'retry-after',
  'vary',
]);
const CONTENT_LENGTH = 'content-length';
const CONNECTION = 'connection';
const READ = new Set([...PASSED, CONTENT_LENGTH, CONNECTION]);
/** The names above are from 4 to 16 characters. */
const MIN_NAME = 4;
const MAX_NAME = 16;
const VISIBLE = /^[\x20-\x7e]*$/;

export interface AnswerHeaders {
  /** By name in lower case. */
  passed: Record<string, string>;
  contentLength: number | undefined;
}

/** Reads names and values as they alternate in `raw`; of a name that comes twice the first stays. */
export function readAnswerHeaders(raw: readonly Buffer[]): AnswerHeaders {
  const passed: Record<string, string> = {};
  let contentLength: number | undefined;
  let connection = '';
  for (let index = 0; index < raw.length; index += 2) {
    const { length } = raw[index]!;
    if (length < MIN_NAME || length > MAX_NAME) continue;
    const name = raw[index]!.toString('latin1').toLowerCase();
    if (!READ.has(name)) continue;
    const value = raw[index + 1]!.toString('latin1');
    if (name === CONTENT_LENGTH) contentLength = Number(value);
    else if (name === CONNECTION) connection += `${value},`;
    else if (!(name in passed) && VISIBLE.test(value)) passed[name] = value;
  }
  for (const name of namesIn(connection)) delete passed[name];
  return { passed, contentLength };
}

/** The headers that a Connection header makes hop-by-hop (RFC 9110 §7.6.1), in lower case. */
export function namesIn(connection: string): string[] {
  if (connection === '' || connection === 'keep-alive,' || connection === 'keep-alive') return [];
  return connection
    .toLowerCase()
    .split(',')
    .map(name => name.trim());
}
