// What the platform gives to the firmware (signer-protocol §5): every import of the module, and nothing else.

/** Copies the 64-byte BIP-39 seed to `out`; 0 when the platform is locked. */
export declare function seed(out: usize): i32;

/** Shows a frame of 1024 bytes: 64 rows of 16, most significant bit left. */
export declare function display(frame: usize): void;

/** Tells test harnesses which ASCII text was just drawn, and where in pixels. */
export declare function text(pointer: usize, length: i32, x: i32, y: i32, width: i32, height: i32): void;

/** Copies the 16 stored bytes to `out`; 0 when nothing was ever stored. */
export declare function settings_load(out: usize, length: i32): i32;

/** Stores 16 bytes that survive power-off. */
export declare function settings_store(from: usize, length: i32): void;
