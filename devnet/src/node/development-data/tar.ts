const BLOCK = 512;

/**
 * Returns a reproducible POSIX ustar archive of one executable file. The path has at most 100 bytes of ASCII.
 */
export function tarOf(path: string, content: Uint8Array): Uint8Array {
  const padding = Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK);
  const end = Buffer.alloc(2 * BLOCK);
  return Buffer.concat([headerOf(path, content.length), content, padding, end]);
}

/** Writes a header as in pax(1), "ustar Interchange Format". Numbers are octal and end in NUL. */
function headerOf(path: string, length: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  const number = (value: number, at: number, width: number) =>
    header.write(value.toString(8).padStart(width - 1, '0'), at, 'ascii');
  header.write(path, 0, 'ascii');
  number(0o755, 100, 8);
  number(0, 108, 8);
  number(0, 116, 8);
  number(length, 124, 12);
  number(0, 136, 12);
  header.write('0', 156, 'ascii');
  header.write('ustar\x0000', 257, 'ascii');
  return sealed(header);
}

/** Writes the checksum, which is computed with its own field set to spaces. */
function sealed(header: Buffer): Buffer {
  header.fill(' ', 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'ascii');
  return header;
}
