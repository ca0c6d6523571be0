/** Replaces the only occurrence of `find`; throws unless there is exactly one. */
export function replaceOnce(source: string, find: string, replacement: string): string {
  const parts = source.split(find);
  if (parts.length !== 2) {
    throw new Error(`${JSON.stringify(find)} occurs ${parts.length - 1} times, expected once`);
  }
  return parts.join(replacement);
}
