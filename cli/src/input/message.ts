import { readStdin } from './stdin.js';

/** Far above the device's limit, which the device enforces. */
const MAX_INPUT_BYTES = 65_536;

/** The text in UTF-8; for `-`, the bytes of stdin. */
export async function readMessage(text: string, signal: AbortSignal): Promise<Uint8Array> {
  return text === '-' ? readStdin('the message', MAX_INPUT_BYTES, signal) : new TextEncoder().encode(text);
}
