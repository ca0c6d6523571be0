/**
 * Faults injected into a development network's gateway, for developers of hosts; shares are from 0
 * to 1.
 */
export interface Chaos {
  /** The share of requests whose connection is closed before they are handled. */
  drop?: number;
  /** The share of broadcasts that are accepted and not answered. */
  dropAfter?: number;
  /** The share of requests that are answered 503 before they are handled. */
  busy?: number;
  /** The delay of each request in milliseconds; random within a range. */
  delayMs?: number | readonly [min: number, max: number];
  /** The response to a broadcast has a different transaction hash. */
  alteredHash?: boolean;
  /**
   * The gateway's node/info lacks signing_version and signing_tag, as with older gateways; the hostname of a
   * node shows them.
   */
  hideSigningVersion?: boolean;
  /** Signing rules are reported nowhere, as by nodes older than chain-bound signing. */
  noSigningVersion?: boolean;
  /** The gateway's node/info reports another chain; the hostname of a node reports the true one. */
  wrongGenesis?: boolean;
  /** The same seed and order of requests give the same faults. Default: random. */
  seed?: number;
}

/** An unknown kind of chaos, or an invalid value of one. */
export class ChaosError extends Error {
  override readonly name = 'ChaosError';
  readonly code = 'BAD_CHAOS';
  /** The class of exit code (docs/CLI.md#exit-codes) for this error. */
  readonly exit = 'usage';

  constructor(
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}
