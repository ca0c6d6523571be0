import type { FirmwareCrashError } from '../errors.js';
import type { Button } from './buttons.js';
import type { Screen } from './platform.js';

/**
 * An input of the device; `restart` cuts its power and restores it. A command with `elsewhere` comes from
 * another host during an upload, and must not change the upload (docs/APDU.md#upload-rules).
 */
export type EmulatorInput =
  | { apdu: Uint8Array; elsewhere?: true }
  | { button: Button }
  | { cancel: true }
  | { restart: true };

/** The events of an Emulator. */
export interface EmulatorEvents {
  /** Emitted before an input reaches the firmware. */
  input: [input: EmulatorInput];
  /** A screen is complete; emitted before the press or command that drew it is answered. */
  screen: [screen: Screen];
  /** A command arrived; `reply` settles with the exchange. */
  exchange: [apdu: Uint8Array, reply: Promise<Uint8Array>];
  /** A command was answered or, if `reply` is undefined, has opened a review. */
  command: [reply: Uint8Array | undefined];
  /** The user decided on the pending command. */
  decision: [reply: Uint8Array];
  crash: [error: FirmwareCrashError];
  stop: [];
}
