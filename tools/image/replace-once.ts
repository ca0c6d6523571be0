/** Replaces the only occurrence of `find`; throws unless there is exactly one. */
export function replaceOnce(source: string, find: string, replacement: string): string {
  const parts = source.split(find);
  if (parts.length !== 2) {
    throw new Error(`${JSON.stringify(find)} is there ${parts.length - 1} times, not once`);
  }
  return parts.join(replacement);
}
