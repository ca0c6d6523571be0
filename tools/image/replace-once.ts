/** Replaces the one place where `find` is; throws when it is not there, or more than once. */
export function replaceOnce(source: string, find: string, replacement: string): string {
  const parts = source.split(find);
  if (parts.length !== 2) {
    const count = parts.length === 1 ? 'not there' : `there ${parts.length - 1} times`;
    throw new Error(`the C of wasm2c has changed: ${JSON.stringify(find)} is ${count}`);
  }
  return parts.join(replacement);
}
