/**
 * Faults that are injected into the gateway of a development network, for developers of hosts. Shares are
 * numbers from 0 to 1.
 */
export interface Chaos {
  /** Share of requests whose connection is closed before they are handled. */
  drop?: number;
  /** Share of broadcasts that are accepted but not answered. */
  dropAfter?: number;
  /** Share of requests that are answered with 503 before they are handled. */
  busy?: number;
  /** Delay of each request in milliseconds. If it is a range, each delay is random within it. */
  delayMs?: number | readonly [min: number, max: number];
  /** Whether the response to a broadcast has a different transaction hash. */
  alteredHash?: boolean;
  /**
   * Whether the gateway's node/info lacks signing_version and signing_tag, as with older gateways. Requests to
   * the gateway under the hostname of a node still receive them.
   */
  hideSigningVersion?: boolean;
  /**
   * Whether signing_version and signing_tag are missing everywhere, as with nodes older than chain-bound
   * signing.
   */
  noSigningVersion?: boolean;
  /**
   * Whether the gateway's node/info reports another chain. Under the hostname of a node, the true chain is
   * reported.
   */
  wrongGenesis?: boolean;
  /**
   * Seed of the faults. The same seed and the same order of requests give the same faults. Default: random.
   */
  seed?: number;
}

/** Thrown for an unknown kind of fault, or for an invalid value of one. */
export class ChaosError extends Error {
  override readonly name = 'ChaosError';
  readonly code = 'BAD_CHAOS';

  constructor(
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}
