/** Bytes that code may read, and possibly write. */
export interface Place {
  readonly start: number;
  readonly length: number;
  readonly isWritable: boolean;
}

export const writable = (start: number, length: number): Place => ({ start, length, isWritable: true });
export const readable = (start: number, length: number): Place => ({ start, length, isWritable: false });

/** Returns whether an access is within one of the places. */
export function isAllowed(places: readonly Place[], at: number, bytes: number, writes: boolean): boolean {
  return places.some(
    ({ start, length, isWritable }) => at >= start && at + bytes <= start + length && (isWritable || !writes),
  );
}

/** Returns the number of bytes of a load or store with this name. */
export function sizeOf(op: string): number {
  const width = /(\d+)(_[su])?$/.exec(op.slice(4))?.[1];
  return width ? Number(width) / 8 : op.startsWith('i32') ? 4 : 8;
}
