/** A request that is answered with an error body; `message` is shown to whoever asked. */
export class RequestError extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.name = 'RequestError';
    this.statusCode = statusCode;
  }
}

/** A broadcast that breaks a rule: 400, with the prefix that interface.md "Errors" gives. */
export class ValidationError extends RequestError {
  constructor(reason: string) {
    super(400, `Transaction validation failed: ValidationError: ${reason}`);
    this.name = 'ValidationError';
  }
}

export type DevnetErrorCode =
  | 'DATA_UNUSABLE'
  | 'DATA_IN_USE'
  | 'DATA_OF_ANOTHER_NETWORK'
  | 'DATA_OF_ANOTHER_VERSION'
  | 'DATA_BROKEN';

/** Why a development network cannot start on a data directory. */
export class DevnetError extends Error {
  readonly code: DevnetErrorCode;

  constructor(code: DevnetErrorCode, message: string) {
    super(message);
    this.name = 'DevnetError';
    this.code = code;
  }
}

export type ConfigErrorCode =
  | 'CONFIG_UNREADABLE'
  | 'CONFIG_INVALID'
  | 'CONFIG_EXISTS'
  | 'TLS_UNUSABLE'
  | 'ALLOWLIST_UNUSABLE'
  | 'REDIS_UNREACHABLE'
  | 'CANNOT_LISTEN';

/** Why a gateway cannot start as it is configured. No message holds a secret of the configuration. */
export class ConfigError extends Error {
  readonly code: ConfigErrorCode;
  readonly facts: { faults: readonly string[] };
  readonly hint?: string;

  constructor(
    code: ConfigErrorCode,
    message: string,
    faults: readonly string[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ConfigError';
    this.code = code;
    this.facts = { faults };
    if (faults.length > 1) this.hint = faults.join('\n');
  }
}

/** Node's code for a failed system call, such as ENOENT: its message may hold paths and addresses. */
export function systemCode(error: unknown): string {
  const code: unknown = Reflect.get(Object(error), 'code');
  return typeof code === 'string' ? code : 'unknown error';
}

/** The error body of every route (interface.md "Errors"). */
export function errorBody(statusCode: number, message: string) {
  return { success: false, error: message, code: statusCode };
}
