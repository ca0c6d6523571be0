const HEADER_BYTES = 52;
const SECTION_BYTES = 40;
/** Entry points of apps for a Nano S+ and a Nano X. */
const NANO_ENTRY = 0xc0de0001;
const EXECUTABLE = 2;
const ARM = 40;
const PROGBITS = 1;
const STRING_TABLE = 3;

/** Sections that tools read in an app. Ragger chooses its text patterns by the graphics library. */
const SECTIONS = [{ name: 'ledger.sdk_graphics', text: 'nbgl' }] as const;

/** A minimal ELF file that is recognised as an app of a Nano S+ or Nano X. */
export function createStubElf(): Uint8Array {
  const names = ['', ...SECTIONS.map(({ name }) => name), '.shstrtab'];
  const table = `${names.join('\0')}\0`;
  const contents = ['', ...SECTIONS.map(({ text }) => text), table];
  const body = contents.join('');
  const sectionsAt = Math.ceil((HEADER_BYTES + body.length) / 4) * 4;
  const bytes = new Uint8Array(sectionsAt + SECTION_BYTES * names.length);
  bytes.set(new TextEncoder().encode(body), HEADER_BYTES);
  const file = new DataView(bytes.buffer);
  writeHeader(file, sectionsAt, names.length);
  let offset = HEADER_BYTES;
  for (const [index, { length }] of contents.entries()) {
    const at = sectionsAt + SECTION_BYTES * index;
    // The first section of every file is empty.
    if (index > 0) {
      file.setUint32(at, names.slice(0, index).join('\0').length + 1, true);
      file.setUint32(at + 4, index === names.length - 1 ? STRING_TABLE : PROGBITS, true);
      file.setUint32(at + 16, offset, true);
      file.setUint32(at + 20, length, true);
      file.setUint32(at + 32, 1, true);
    }
    offset += length;
  }
  return bytes;
}

function writeHeader(file: DataView, sectionsAt: number, sections: number): void {
  // The header declares 32 bits, little-endian, version 1.
  for (const [at, byte] of [0x7f, 0x45, 0x4c, 0x46, 1, 1, 1].entries()) file.setUint8(at, byte);
  file.setUint16(16, EXECUTABLE, true);
  file.setUint16(18, ARM, true);
  file.setUint32(20, 1, true);
  file.setUint32(24, NANO_ENTRY, true);
  file.setUint32(32, sectionsAt, true);
  file.setUint16(40, HEADER_BYTES, true);
  file.setUint16(46, SECTION_BYTES, true);
  file.setUint16(48, sections, true);
  file.setUint16(50, sections - 1, true);
}
