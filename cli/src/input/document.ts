import { readBytes } from './files.js';

/** More than a document of the largest transaction. */
const MAX_BYTES = 262_144;

/** For the commands that read a transaction document. */
export const DOCUMENT_ARGUMENT = {
  describe: 'the transaction document; - or nothing reads stdin',
} as const;

/** The text of a document in a file, or on stdin; throws UsageError. */
export async function readDocument(file: string | undefined, signal: AbortSignal): Promise<string> {
  return (await readBytes('the document', file ?? '-', MAX_BYTES, signal)).toString('utf8');
}
