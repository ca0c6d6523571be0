// The functions that the platform supplies to the keystore besides a display (docs/KEYSTORE.md#platform).
// Each is called only from `work`, repeatedly while it answers NOT_YET; any answer other than that and DONE
// is a failure.

export const DONE = 1;
export const NOT_YET = 2;

/** Writes `length` raw bytes of the board's noise source. */
export declare function noise(out: usize, length: i32): i32;

/** Copies the stored record of 82 bytes, or zeros without one. */
export declare function vault_read(out: usize): i32;

/** Stores a record of 82 bytes completely or not at all, even if power fails. */
export declare function vault_write(from: usize): i32;

/** Erases record and count. */
export declare function vault_erase(): i32;

/** Writes the count of attempts, u32. */
export declare function vault_attempts(out: usize): i32;

/** Raises the count durably before it answers DONE. */
export declare function vault_begin_attempt(): i32;

/**
 * Maps 32 bytes through a key that only this chip has; refused unless an attempt began since the last call.
 */
export declare function vault_stretch(from: usize, out: usize): i32;

/** Sets the count to 0 if given the 32 bytes that prove the correct PIN. */
export declare function vault_clear_attempts(proof: usize): i32;
