// What the platform gives to the keystore beside a display (docs/KEYSTORE.md#platform). Each is called from
// `work` alone, and again until it does not answer NOT_YET; any answer but these two is a failure.

export const DONE = 1;
export const NOT_YET = 2;

/** Writes `length` raw bytes of the board's noise source. */
export declare function noise(out: usize, length: i32): i32;

/** Copies the stored record of 82 bytes, or zeros where there is none. */
export declare function vault_read(out: usize): i32;

/** Stores a record of 82 bytes: all of it or nothing, whenever the power goes. */
export declare function vault_write(from: usize): i32;

/** Erases record and count. */
export declare function vault_erase(): i32;

/** Writes the count of attempts, u32. */
export declare function vault_attempts(out: usize): i32;

/** Raises the count, durably, before it answers DONE. */
export declare function vault_begin_attempt(): i32;

/** 32 bytes through a key that only this chip has; refused unless an attempt began since the last one. */
export declare function vault_stretch(from: usize, out: usize): i32;

/** Sets the count to 0, for the 32 bytes that prove the right PIN. */
export declare function vault_clear_attempts(proof: usize): i32;
