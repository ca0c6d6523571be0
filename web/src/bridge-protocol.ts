/** The port where `zbc-signer bridge` listens and pages look for it (docs/BRIDGE.md#requests). */
export const BRIDGE_PORT = 8886;

const HMAC = { name: 'HMAC', hash: 'SHA-256' } as const;

/**
 * The code of a request or a reply in lower-case hex: HMAC-SHA256 under the pairing's key, over the parts
 * with a line feed between them. No part has one.
 */
export async function bridgeCode(key: Uint8Array, ...parts: readonly (string | number)[]): Promise<string> {
  const { subtle } = globalThis.crypto;
  const imported = await subtle.importKey('raw', Uint8Array.from(key), HMAC, false, ['sign']);
  const code = await subtle.sign(HMAC.name, imported, new TextEncoder().encode(parts.join('\n')));
  return [...new Uint8Array(code)].map(byte => byte.toString(16).padStart(2, '0')).join('');
}
