const FLASH_START = 0x10000000;

const BLOCK = 512;
const PAYLOAD = 256;
const HEADER = 32;
const MAGIC_START_0 = 0x0a324655;
const MAGIC_START_1 = 0x9e5d5157;
const MAGIC_END = 0x0ab16f30;
const FAMILY_ID_PRESENT = 0x2000;
const RP2040_FAMILY = 0xe48bff56;

/**
 * A UF2 file that writes `content` to flash at `offset`, a multiple of 256; the last page is filled with FF.
 */
export function toUf2(content: Uint8Array, offset: number): Uint8Array {
  if (offset % PAYLOAD !== 0) throw new RangeError(`${offset} is not the start of a page`);
  const count = Math.ceil(content.length / PAYLOAD);
  const blocks = Array.from({ length: count }, (_, number) => {
    const page = content.subarray(number * PAYLOAD, (number + 1) * PAYLOAD);
    return block(page, FLASH_START + offset + number * PAYLOAD, number, count);
  });
  return Buffer.concat(blocks);
}

function block(page: Uint8Array, address: number, number: number, count: number): Buffer {
  const bytes = Buffer.alloc(BLOCK);
  const header = [
    MAGIC_START_0,
    MAGIC_START_1,
    FAMILY_ID_PRESENT,
    address,
    PAYLOAD,
    number,
    count,
    RP2040_FAMILY,
  ];
  header.forEach((word, index) => {
    bytes.writeUInt32LE(word, 4 * index);
  });
  bytes.fill(0xff, HEADER, HEADER + PAYLOAD);
  bytes.set(page, HEADER);
  bytes.writeUInt32LE(MAGIC_END, BLOCK - 4);
  return bytes;
}
