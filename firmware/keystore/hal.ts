// The functions that the platform supplies to the keystore in addition to a display
// (docs/KEYSTORE.md#platform). They are called only from `work`. While a function returns NOT_YET, it is
// called again. DONE means success, and any other value means failure.

export const DONE = 1;
export const NOT_YET = 2;

/** Writes `length` raw bytes of the board's noise source. */
export declare function noise(out: usize, length: i32): i32;

/** Copies the stored record of 82 bytes, or zeros if no record is stored. */
export declare function vault_read(out: usize): i32;

/**
 * Stores a record of 82 bytes and the proof of its PIN, completely or not at all, even if power fails. Fails
 * if a record is stored and `oldProof` is not its proof.
 */
export declare function vault_write(record: usize, oldProof: usize, newProof: usize): i32;

/** Erases the record and the count of attempts. */
export declare function vault_erase(): i32;

/** Writes the count of attempts, u32. */
export declare function vault_attempts(out: usize): i32;

/** Raises the count of attempts. The new count must be stored durably before the function returns DONE. */
export declare function vault_begin_attempt(): i32;

/** Maps 32 bytes with a key that only this chip has. Fails unless an attempt began since the last call. */
export declare function vault_stretch(from: usize, out: usize): i32;

/** Sets the count of attempts to 0 if `proof` is the proof of the record, which only its PIN gives. */
export declare function vault_clear_attempts(proof: usize): i32;
