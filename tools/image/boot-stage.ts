const CHECKED = 252;
const POLYNOMIAL = 0x04c11db7;

/**
 * Computes a CRC-32 by the algorithm of the boot ROM: the highest bit is first, and the result is not
 * complemented (RP2040 datasheet, 2.8.1.3.1).
 */
function bootCrc(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ POLYNOMIAL : crc << 1;
  }
  return crc >>> 0;
}

/** Pads the code and adds its checksum; throws RangeError if the code is longer than 252 bytes. */
export function withChecksum(code: Uint8Array): Uint8Array {
  if (code.length > CHECKED)
    throw new RangeError(`boot2 has ${code.length} bytes, but at most ${CHECKED} are allowed`);
  const stage = Buffer.alloc(CHECKED + 4);
  stage.set(code);
  stage.writeUInt32LE(bootCrc(stage.subarray(0, CHECKED)), CHECKED);
  return stage;
}
