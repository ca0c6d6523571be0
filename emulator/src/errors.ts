import { ZbcSignerError } from '@zbc-signer/chain';
import { REMEDIES } from './generated/remedies.js';

/** Every code of an EmulatorError; stable between releases. */
export type EmulatorErrorCode = keyof typeof REMEDIES;

/** The errors of the emulator; `code` gives the reason, `hint` the remedy. */
export class EmulatorError extends ZbcSignerError {
  override readonly name: string = 'EmulatorError';
  constructor(code: EmulatorErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, { ...options, hint: REMEDIES[code] });
  }
}

/**
 * The firmware trapped, or returned a reply of an impossible length. This is always a bug of the firmware.
 * `cause` is the error of the JavaScript engine.
 */
export class FirmwareCrashError extends EmulatorError {
  override readonly name = 'FirmwareCrashError';
  constructor(cause: unknown) {
    super('FIRMWARE_CRASH', `the firmware crashed: ${messageOf(cause)}`, { cause });
  }
}

/** The firmware's file is missing. */
export class FirmwareMissingError extends EmulatorError {
  override readonly name = 'FirmwareMissingError';
  constructor(path: string) {
    super('FIRMWARE_MISSING', `the firmware is not built: ${path} is missing; run "make build"`);
  }
}

/** The web panel's files are missing. */
export class PanelMissingError extends EmulatorError {
  override readonly name = 'PanelMissingError';
  constructor() {
    super('PANEL_MISSING', 'the web panel is not built; run "make build"');
  }
}

/** An invalid seed. The message never repeats the text. */
export class SeedError extends EmulatorError {
  override readonly name = 'SeedError';
  constructor(message: string) {
    super('BAD_SEED', message);
  }
}

/** Another program uses the port. */
export class PortInUseError extends EmulatorError {
  override readonly name = 'PortInUseError';
  constructor(
    readonly host: string,
    readonly port: number,
  ) {
    super('PORT_IN_USE', `port ${port} on ${host} is in use; choose another, or "auto" for any free port`);
  }
}

/** Listening failed for a reason other than a port in use. */
export class ListenError extends EmulatorError {
  override readonly name = 'ListenError';
  constructor(host: string, port: number, cause: unknown) {
    super('LISTEN_FAILED', `cannot listen on port ${port} of ${host}: ${messageOf(cause)}`, { cause });
  }
}

/**
 * The connection to the device was lost. The error has the same code as with a real device, so that a wallet
 * handles both alike.
 */
export class DisconnectedError extends ZbcSignerError {
  override readonly name = 'DisconnectedError';
  constructor() {
    super('DEVICE_DISCONNECTED', 'the device was disconnected before it replied');
  }
}

/** The emulator was stopped, before or during the call. */
export class EmulatorStoppedError extends EmulatorError {
  override readonly name = 'EmulatorStoppedError';
  constructor() {
    super('EMULATOR_STOPPED', 'the emulator was stopped');
  }
}

/** A test left a call unfinished; the message names it and gives the fix. */
export class StillPendingError extends EmulatorError {
  override readonly name = 'StillPendingError';
  constructor(message: string, cause: Error) {
    super('STILL_PENDING', message, { cause });
  }
}

/** No review appeared in time, or it has no approve page. */
export class NoReviewError extends EmulatorError {
  override readonly name = 'NoReviewError';
  constructor(message: string) {
    super('NO_REVIEW', message);
  }
}

/** A directory has no coverage or cannot be written to. */
export class CoverageError extends EmulatorError {
  override readonly name = 'CoverageError';
  constructor(message: string) {
    super('BAD_COVERAGE', message);
  }
}

/** An invalid automation document; the message names the place in it. */
export class AutomationError extends EmulatorError {
  override readonly name = 'AutomationError';
  readonly statusCode = 400;
  constructor(message: string) {
    super('BAD_AUTOMATION', message);
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
