import type { BrowserStorage } from '@zbc-signer/web';

/** The stored text; empty if nothing is stored or the browser denies access. */
export function readStored(storage: BrowserStorage | undefined, key: string): string {
  try {
    return storage?.getItem(key) ?? '';
  } catch {
    return '';
  }
}

/** Stores a text. Returns whether the browser has stored it; otherwise it is lost at a reload. */
export function store(storage: BrowserStorage | undefined, key: string, text: string): boolean {
  try {
    storage?.setItem(key, text);
    return storage !== undefined;
  } catch {
    return false;
  }
}
