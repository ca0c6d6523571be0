// Integers of the wire format, little-endian; a value out of range is a RangeError.

export function u8(value: bigint): Uint8Array {
  const bytes = Buffer.alloc(1);
  bytes.writeUInt8(Number(value));
  return bytes;
}

export function u32(value: number | bigint): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(Number(value));
  return bytes;
}

export function u64(value: bigint): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

export function i64(value: bigint): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  return bytes;
}

/** UTF-8 bytes behind their u32 length. */
export function text(value: string): Uint8Array {
  const bytes = Buffer.from(value, 'utf8');
  return Buffer.concat([u32(bytes.length), bytes]);
}
