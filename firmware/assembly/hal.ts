// The functions that the platform supplies (docs/APDU.md#platform-interface). The module has no other
// imports.

/** Returns 1 if the platform has no seed, and 0 if it has one. */
export declare function locked(): i32;

/** Copies the 64-byte BIP-39 seed to `out`. Returns 0 if the platform is locked. */
export declare function seed(out: usize): i32;

/** Shows a frame of 1024 bytes: 64 rows of 16 bytes. The most significant bit of a byte is its left pixel. */
export declare function display(frame: usize): void;

/** Reports an ASCII text that was just drawn, and its rectangle in pixels, to test harnesses. */
export declare function text(pointer: usize, length: i32, x: i32, y: i32, width: i32, height: i32): void;

/**
 * Called when the user leaves the signer for the keystore. The platform sets a flag here, and acts on it
 * after `button` has returned.
 */
export declare function quit(): void;

/** Copies the 16 stored bytes to `out`. Returns 0 if nothing is stored. */
export declare function settings_load(out: usize, length: i32): i32;

/** Stores 16 bytes that survive power-off. */
export declare function settings_store(from: usize, length: i32): void;
