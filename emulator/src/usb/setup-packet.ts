/** The eight bytes that open a control transfer (USB 2.0, 9.3). */
export interface SetupPacket {
  /** Direction, type and recipient. */
  requestType: number;
  request: number;
  value: number;
  index: number;
  length: number;
}

export function parseSetup(bytes: Buffer): SetupPacket {
  return {
    requestType: bytes[0]!,
    request: bytes[1]!,
    value: bytes.readUInt16LE(2),
    index: bytes.readUInt16LE(4),
    length: bytes.readUInt16LE(6),
  };
}
