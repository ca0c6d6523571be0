import { rm, writeFile } from 'node:fs/promises';
import { UsageError } from '../errors/errors.js';

const OWNER_ONLY = 0o600;

/** A file with a key, readable by its owner alone. */
interface KeyFile {
  remove(): Promise<void>;
}

/** Throws UsageError if the file exists or cannot be written. */
export async function writeKeyFile(path: string, key: string): Promise<KeyFile> {
  try {
    await writeFile(path, `${key}\n`, { flag: 'wx', mode: OWNER_ONLY });
  } catch (error) {
    const code: unknown = Reflect.get(Object(error), 'code');
    if (code !== 'EEXIST') await rm(path, { force: true });
    throw new UsageError(code === 'EEXIST' ? `${path} already exists` : `cannot write ${path} (${code})`);
  }
  return { remove: () => rm(path, { force: true }) };
}
