/** A path as one word of a POSIX shell, for commands that people paste. */
export function quoteWord(path: string): string {
  const name = path.startsWith('-') ? `./${path}` : path;
  return /^[\w./:@%+=-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}
