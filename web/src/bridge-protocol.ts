/** The port on which `zbc-signer bridge` listens, and pages look for it (docs/BRIDGE.md#requests). */
export const BRIDGE_PORT = 8886;

const HMAC = { name: 'HMAC', hash: 'SHA-256' } as const;

/**
 * Returns the authentication code of a request or reply in lower-case hex. It is the HMAC-SHA256 of the
 * parts, joined by line feeds, with the key of the pairing. No part contains a line feed.
 */
export async function bridgeCode(key: Uint8Array, ...parts: readonly (string | number)[]): Promise<string> {
  const { subtle } = globalThis.crypto;
  const imported = await subtle.importKey('raw', Uint8Array.from(key), HMAC, false, ['sign']);
  const code = await subtle.sign(HMAC.name, imported, new TextEncoder().encode(parts.join('\n')));
  return [...new Uint8Array(code)].map(byte => byte.toString(16).padStart(2, '0')).join('');
}
