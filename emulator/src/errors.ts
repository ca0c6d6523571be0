/** Root of what the emulator throws; `code` is stable, upper snake case. */
export class EmulatorError extends Error {
  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** A trap, or a reply that breaks signer-protocol §5: always a bug of the firmware. `cause` has the engine's own error. */
export class FirmwareCrashError extends EmulatorError {
  constructor(cause: unknown) {
    super(
      'FIRMWARE_CRASH',
      `the firmware crashed: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        cause,
      },
    );
  }
}

export class FirmwareMissingError extends EmulatorError {
  constructor(path: string) {
    super('FIRMWARE_MISSING', `the firmware is not built: ${path} is missing; run "make build"`);
  }
}

export class PanelMissingError extends EmulatorError {
  constructor() {
    super('PANEL_MISSING', 'the web panel is not built; run "make build"');
  }
}

/** Never carries the rejected text: it may be a seed. */
export class SeedError extends EmulatorError {
  constructor(message: string) {
    super('BAD_SEED', message);
  }
}

export class PortInUseError extends EmulatorError {
  constructor(
    readonly host: string,
    readonly port: number,
  ) {
    super('PORT_IN_USE', `port ${port} on ${host} is in use; choose another, or "auto" for any free one`);
  }
}

export class ListenError extends EmulatorError {
  constructor(host: string, port: number, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super('LISTEN_FAILED', `cannot listen on port ${port} of ${host}: ${reason}`, { cause });
  }
}

/** What an exchange rejects with when its transport was closed while the user was deciding. */
export class DisconnectedError extends EmulatorError {
  constructor() {
    super('DISCONNECTED', 'the host went away before the user decided');
  }
}

export class EmulatorStoppedError extends EmulatorError {
  constructor() {
    super('EMULATOR_STOPPED', 'the emulator was stopped');
  }
}

/** A review was waited for and none came, or the one on the screen has no approve page. */
export class NoReviewError extends EmulatorError {
  constructor(message: string) {
    super('NO_REVIEW', message);
  }
}

/** An automation document that cannot be followed; the message names the place in it. */
export class AutomationError extends EmulatorError {
  readonly statusCode = 400;

  constructor(message: string) {
    super('BAD_AUTOMATION', message);
  }
}
