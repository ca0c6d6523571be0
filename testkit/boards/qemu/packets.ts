import { crc32 } from 'node:zlib';

// Packets on a UART. The code follows docs/APDU.md#uart, independently of the firmware.

const END = 0xc0;
const ESCAPE = 0xdb;
const ESCAPED_END = 0xdc;
const ESCAPED_ESCAPE = 0xdd;
const ESCAPES: Readonly<Record<number, number>> = { [ESCAPED_END]: END, [ESCAPED_ESCAPE]: ESCAPE };

export interface Packet {
  type: string;
  body: Uint8Array;
}

export function encodePacket(type: string, body: Uint8Array = new Uint8Array()): Uint8Array {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), body, Buffer.alloc(4)]);
  content.writeUInt32LE(crc32(content.subarray(0, -4)), content.length - 4);
  const escaped = [...content].flatMap(byte => {
    if (byte === END) return [ESCAPE, ESCAPED_END];
    return byte === ESCAPE ? [ESCAPE, ESCAPED_ESCAPE] : [byte];
  });
  return Uint8Array.of(END, ...escaped, END);
}

/** Assembles packets. Reports damaged packets as faults, because simulated wires do not lose bytes. */
export class PacketReader {
  #bytes: number[] = [];

  constructor(private readonly damaged: (text: string) => void) {}

  take(chunk: Uint8Array): Packet[] {
    const packets: Packet[] = [];
    for (const byte of chunk) {
      if (byte !== END) this.#bytes.push(byte);
      else if (this.#bytes.length > 0) {
        const packet = decode(this.#bytes);
        if (packet) packets.push(packet);
        else this.damaged(`a damaged packet: ${Buffer.from(this.#bytes.slice(0, 100)).toString('hex')}`);
        this.#bytes = [];
      }
    }
    return packets;
  }

  /** Drops an incomplete packet after a reset of the board. */
  reset(): void {
    this.#bytes = [];
  }
}

/** Decodes a packet. Returns undefined if an escape or the checksum is invalid. */
function decode(escaped: readonly number[]): Packet | undefined {
  const bytes: number[] = [];
  for (let at = 0; at < escaped.length; at++) {
    const byte = escaped[at]!;
    const value = byte === ESCAPE ? ESCAPES[escaped[++at] ?? 0] : byte;
    if (value === undefined) return undefined;
    bytes.push(value);
  }
  const content = Buffer.from(bytes);
  if (content.length < 5 || crc32(content.subarray(0, -4)) !== content.readUInt32LE(content.length - 4))
    return undefined;
  return { type: String.fromCharCode(content[0]!), body: Uint8Array.from(content.subarray(1, -4)) };
}
