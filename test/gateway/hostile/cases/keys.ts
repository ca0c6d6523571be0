import { type HostileCase, request } from '../hostile-case.js';

/** Invalid keys; `{key}` is the valid key, and `{key-}` lacks its last character. */
const WRONG_KEYS: readonly [name: string, ...lines: string[]][] = [
  ['no key'],
  ['an empty key', 'X-API-Key:'],
  ['an empty bearer', 'Authorization: Bearer'],
  ['a wrong key', 'X-API-Key: wrong'],
  ['a wrong bearer', 'Authorization: Bearer wrong'],
  ['a key without its last character', 'X-API-Key: {key-}'],
  ['a key with an additional character', 'X-API-Key: {key}x'],
  ['a key in capitals', 'X-API-Key: {KEY}'],
  ['the key as a password', 'Authorization: Basic {key}'],
  ['the key without a scheme', 'Authorization: {key}'],
  ['the key in quotes', 'X-API-Key: "{key}"'],
  ['the key in a cookie', 'Cookie: X-API-Key={key}'],
  ['the key in another header', 'X-Admin-Key: {key}'],
  ['the key under a name with underscores', 'X_API_Key: {key}'],
  ['two keys, of which one is valid', 'X-API-Key: wrong', 'X-API-Key: {key}'],
  ['undefined', 'X-API-Key: undefined'],
  ['null', 'X-API-Key: null'],
  ['a key that is far too long', `X-API-Key: ${'k'.repeat(10_000)}`],
];

/** Every route that requires the admin key. */
const LOCKED_ROUTES: readonly [method: string, target: string][] = [
  ['POST', '/gateway/allowlist/add'],
  ['POST', '/gateway/allowlist/remove'],
  ['POST', '/gateway/allowlist/refresh'],
  ['GET', '/admin'],
  ['GET', '/admin/state'],
];

const ENTRY = '{"ip":"127.0.0.1","port":{stranger}}';

export const KEYS: readonly HostileCase[] = LOCKED_ROUTES.flatMap(([method, target]) =>
  WRONG_KEYS.map(([name, ...lines]) => ({
    name: `does not open ${method} ${target} for ${name}`,
    bytes:
      method === 'GET'
        ? request(method, target, lines)
        : request(
            method,
            target,
            [...lines, 'Content-Type: application/json', 'Content-Length: {entry}'],
            ENTRY,
          ),
    replies: [401, 200],
  })),
);
