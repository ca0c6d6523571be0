/** Thrown to answer a request with an error body. Clients see `message`. */
export class RequestError extends Error {
  override readonly name: string = 'RequestError';
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

/** Every code of a ConfigError. */
export type ConfigErrorCode =
  | 'CONFIG_UNREADABLE'
  | 'CONFIG_INVALID'
  | 'CONFIG_EXISTS'
  | 'TLS_UNUSABLE'
  | 'ALLOWLIST_UNUSABLE'
  | 'LISTEN_FAILED';

/** Thrown if a gateway cannot start or renew its certificate. Messages never contain secrets of the configuration. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly code: ConfigErrorCode;
  readonly facts: { faults: readonly string[] };
  readonly hint?: string;

  constructor(
    code: ConfigErrorCode,
    message: string,
    faults: readonly string[] = [],
    { hint, ...options }: ErrorOptions & { hint?: string } = {},
  ) {
    super(message, options);
    this.code = code;
    this.facts = { faults };
    const help = faults.length > 1 ? faults.join('\n') : hint;
    if (help !== undefined) this.hint = help;
  }
}

/**
 * Node's code for a failed system call, such as ENOENT. The error's message is not shown, because it may
 * contain paths and addresses.
 */
export function systemCode(error: unknown): string {
  const code: unknown = Reflect.get(Object(error), 'code');
  return typeof code === 'string' ? code : 'unknown error';
}

/** The body of every error response (docs/gateway/routes.md#errors). */
export function errorBody(statusCode: number, message: string) {
  return { success: false, error: message, code: statusCode };
}
