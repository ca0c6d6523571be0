import { readFileSync } from 'node:fs';

/**
 * Reads addresses by name from the output of `nm`. The bit for Thumb code is removed from addresses of
 * functions.
 */
export function readSymbols(file: string): Map<string, number> {
  const symbols = new Map<string, number>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [address, type, name] = line.split(' ');
    if (!address || !type || !name) continue;
    const value = Number.parseInt(address, 16);
    symbols.set(name, /t/i.test(type) ? value & ~1 : value);
  }
  return symbols;
}
