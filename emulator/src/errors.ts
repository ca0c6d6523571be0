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

/** No review appeared in time, or it has no approve page. */
export class NoReviewError extends EmulatorError {
  override readonly name = 'NoReviewError';
  constructor(message: string) {
    super('NO_REVIEW', message);
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
