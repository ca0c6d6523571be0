import { readFileSync } from 'node:fs';

export function readVectors<Vectors>(name: string): Vectors {
  return JSON.parse(readFileSync(new URL(`../../../../vectors/${name}`, import.meta.url), 'utf8')) as Vectors;
}

export function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex, 'hex'));
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

export function textBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
