import { crc32 } from 'node:zlib';
import { bindMembers } from '@zbc-signer/protocol/bound-members';

const END = 0xc0;
const ESCAPE = 0xdb;
const ESCAPED_END = 0xdc;
const ESCAPED_ESCAPE = 0xdd;
const CRC_BYTES = 4;
/** Maximum length of a packet. Every valid packet is shorter, even if all of its bytes are escaped. */
const MAX_ESCAPED = 4096;

/** A packet with a correct checksum. */
export interface UartPacket {
  type: string;
  /** The bytes between the type and the checksum. */
  body: Uint8Array;
}

/** Encodes a packet for a UART (docs/APDU.md#uart); `type` is one letter. */
export function encodeUartPacket(type: string, body: Uint8Array = new Uint8Array(0)): Uint8Array {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), body, Buffer.alloc(CRC_BYTES)]);
  content.writeUInt32LE(crc32(content.subarray(0, -CRC_BYTES)), content.length - CRC_BYTES);
  const escaped = [...content].flatMap(byte => {
    if (byte === END) return [ESCAPE, ESCAPED_END];
    return byte === ESCAPE ? [ESCAPE, ESCAPED_ESCAPE] : [byte];
  });
  return Uint8Array.of(END, ...escaped, END);
}

/** Assembles packets from bytes. Drops packets that are damaged or too long. */
export class UartPacketReader {
  #bytes: number[] = [];

  constructor() {
    bindMembers(this);
  }

  /** Returns the packets that these bytes complete. */
  take(chunk: Uint8Array): UartPacket[] {
    const packets: UartPacket[] = [];
    for (const byte of chunk) {
      if (byte !== END) {
        if (this.#bytes.length < MAX_ESCAPED) this.#bytes.push(byte);
        continue;
      }
      const packet = decode(this.#bytes);
      if (packet) packets.push(packet);
      this.#bytes = [];
    }
    return packets;
  }
}

function decode(escaped: readonly number[]): UartPacket | undefined {
  const bytes: number[] = [];
  for (let at = 0; at < escaped.length; at++) {
    const byte = escaped[at]!;
    if (byte === ESCAPE) bytes.push(escaped[++at] === ESCAPED_END ? END : ESCAPE);
    else bytes.push(byte);
  }
  const content = Buffer.from(bytes);
  if (content.length <= CRC_BYTES) return undefined;
  const checked = content.subarray(0, -CRC_BYTES);
  if (crc32(checked) !== content.readUInt32LE(checked.length)) return undefined;
  return { type: String.fromCharCode(content[0]!), body: Uint8Array.from(checked.subarray(1)) };
}
