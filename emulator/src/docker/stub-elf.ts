const HEADER_BYTES = 52;
const SECTION_BYTES = 40;
/** Where the apps of a Nano S+ and a Nano X start. */
const NANO_ENTRY = 0xc0de0001;
const EXECUTABLE = 2;
const ARM = 40;
const STRING_TABLE = 3;

/**
 * A minimal ELF file that is recognised as an app of a Nano S+ or Nano X: a header and an empty string table.
 */
export function createStubElf(): Uint8Array {
  const file = new DataView(new ArrayBuffer(HEADER_BYTES + SECTION_BYTES));
  // 32 bits, little-endian, version 1.
  for (const [at, byte] of [0x7f, 0x45, 0x4c, 0x46, 1, 1, 1].entries()) file.setUint8(at, byte);
  file.setUint16(16, EXECUTABLE, true);
  file.setUint16(18, ARM, true);
  file.setUint32(20, 1, true);
  file.setUint32(24, NANO_ENTRY, true);
  file.setUint32(32, HEADER_BYTES, true);
  file.setUint16(40, HEADER_BYTES, true);
  file.setUint16(46, SECTION_BYTES, true);
  file.setUint16(48, 1, true);
  file.setUint32(HEADER_BYTES + 4, STRING_TABLE, true);
  return new Uint8Array(file.buffer);
}
