/** Replaces the one place where `find` is; throws when it is not there, or more than once. */
export function replaceOnce(source: string, find: string, replacement: string): string {
  const parts = source.split(find);
  if (parts.length !== 2) {
    throw new Error(`${JSON.stringify(find)} is there ${parts.length - 1} times, not once`);
  }
  return parts.join(replacement);
}
