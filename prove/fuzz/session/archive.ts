import { u32 } from '../../../testkit/crypto/little-endian.js';

/** Concatenates sessions, each after its length (u32le), in the format of prove/fuzz/replay.c. */
export function packSessions(sessions: Uint8Array[]): Buffer {
  return Buffer.concat(sessions.flatMap(session => [u32(session.length), session]));
}

/** Returns the inverse of packSessions; throws a RangeError for an incomplete archive. */
export function unpackSessions(archive: Buffer): Buffer[] {
  const sessions: Buffer[] = [];
  for (let at = 0; at < archive.length; ) {
    const end = at + 4 + archive.readUInt32LE(at);
    if (end > archive.length) throw new RangeError('the last session is cut short');
    sessions.push(archive.subarray(at + 4, end));
    at = end;
  }
  return sessions;
}
