/** Sessions one behind the other, each behind its length, u32le; what prove/fuzz/replay.c reads. */
export function packSessions(sessions: Uint8Array[]): Buffer {
  return Buffer.concat(sessions.flatMap(session => [lengthOf(session), session]));
}

/** The inverse of packSessions; a RangeError when the archive is cut short. */
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

function lengthOf(session: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(session.length);
  return length;
}
