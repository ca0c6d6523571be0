import { rm, writeFile } from 'node:fs/promises';
import { UsageError } from './errors.js';

const OWNER_ONLY = 0o600;

/** A key in a file of its own for its owner's eyes, for as long as it is good for something. */
export interface KeyFile {
  remove(): Promise<void>;
}

/** Throws UsageError when the file exists or cannot be made. */
export async function writeKeyFile(path: string, key: string): Promise<KeyFile> {
  try {
    await writeFile(path, `${key}\n`, { flag: 'wx', mode: OWNER_ONLY });
  } catch (error) {
    const code: unknown = Reflect.get(Object(error), 'code');
    throw new UsageError(code === 'EEXIST' ? `${path} exists already` : `cannot write ${path} (${code})`);
  }
  return { remove: () => rm(path, { force: true }) };
}
