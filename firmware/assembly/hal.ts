// The functions that the platform supplies (docs/APDU.md#platform-interface): every import of the module, and
// nothing else.

/** Whether the platform has no seed: 1 or 0. */
export declare function locked(): i32;

/** Copies the 64-byte BIP-39 seed to `out`, to derive a key; returns 0 if the platform is locked. */
export declare function seed(out: usize): i32;

/** Shows a frame of 1024 bytes: 64 rows of 16, most significant bit left. */
export declare function display(frame: usize): void;

/** Reports to test harnesses which ASCII text was just drawn, and where in pixels. */
export declare function text(pointer: usize, length: i32, x: i32, y: i32, width: i32, height: i32): void;

/** The user leaves the signer for the keystore: sets a flag that the platform acts on after the press. */
export declare function quit(): void;

/** Copies the 16 stored bytes to `out`; returns 0 if none were stored. */
export declare function settings_load(out: usize, length: i32): i32;

/** Stores 16 bytes that survive power-off. */
export declare function settings_store(from: usize, length: i32): void;
