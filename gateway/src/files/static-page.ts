import { realpath } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { ignoreMissing, isSegment, openPublished, type PublishedFile } from './published-file.js';

const INDEX = 'index.html';

/** Types of pages and of what they load; any other file is saved, not shown. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.pdf': 'application/pdf',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
};

/** Suffixes of files that hold another in compressed form, the smaller first. */
const CODINGS = [
  { coding: 'br', suffix: '.br' },
  { coding: 'gzip', suffix: '.gz' },
] as const;

/** A file below the operator's directory; the caller closes it. */
export interface StaticPage {
  file: PublishedFile;
  /** Undefined for a file that browsers must not show. */
  type: string | undefined;
  /** The form in which the file is sent, if not its own. */
  coding?: string;
}

/**
 * Opens the file of a path, which has no slash in front, or the index of a path that ends with one;
 * undefined if a segment is not a plain name, or anything on the way is a link.
 */
export async function openStatic(
  directory: string,
  path: string,
  accepts: (coding: string) => boolean,
): Promise<StaticPage | undefined> {
  const segments = path.split('/');
  const name = segments.pop() || INDEX;
  const parent = await openDirectory(directory, segments);
  if (parent === undefined) return undefined;
  const type = TYPES[extname(name).toLowerCase()];
  const file = await openPublished(parent, name);
  if (file === undefined || type === undefined) return file && { file, type };
  for (const { coding, suffix } of CODINGS) {
    const other = accepts(coding) ? await openPublished(parent, name + suffix) : undefined;
    if (other === undefined) continue;
    await file.handle.close();
    return { file: other, type, coding };
  }
  return { file, type };
}

/** Whether the path without a slash at its end is a directory with an index. */
export async function hasIndex(directory: string, path: string): Promise<boolean> {
  const parent = await openDirectory(directory, path.split('/'));
  const file = parent === undefined ? undefined : await openPublished(parent, INDEX);
  await file?.handle.close();
  return file !== undefined;
}

/** The real path, if no segment is a link; the directory itself may be one. */
async function openDirectory(directory: string, segments: readonly string[]): Promise<string | undefined> {
  if (!segments.every(isSegment)) return undefined;
  const top = await realpath(directory).catch(ignoreMissing);
  if (top === undefined) return undefined;
  const wanted = join(top, ...segments);
  const real = await realpath(wanted).catch(ignoreMissing);
  return real === wanted ? wanted : undefined;
}
