import type { BroadcastState, ErrorFacts } from '@zbc-signer/chain';
import type { ExitName } from './exit-codes.js';

/** An invalid command line or input; the message names the option or file. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code = 'USAGE';
  readonly exit = 'usage' satisfies ExitName;
  constructor(
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

/** A server's port is taken; the hint names the option or setting that changes it. */
export class PortInUseError extends Error {
  override readonly name = 'PortInUseError';
  readonly code = 'PORT_IN_USE';
  readonly exit = 'usage' satisfies ExitName;
  readonly facts: Readonly<Record<string, number>>;
  constructor(
    port: number,
    readonly hint: string,
    message = `port ${port} is in use`,
  ) {
    super(message);
    this.facts = { port };
  }
}

/** The gateway does not know this hash; `pending` is this computer's payment with the hash. */
export class UnknownTransactionError extends Error {
  override readonly name = 'UnknownTransactionError';
  readonly code = 'UNKNOWN_TRANSACTION';
  readonly exit = 'notFound' satisfies ExitName;
  readonly hint: string;
  readonly facts: ErrorFacts;
  constructor(hash: string, pending?: { sent: BroadcastState; safeAfter: bigint }) {
    const known = pending?.sent === 'yes' ? 'a node has accepted' : 'may have been sent';
    const own = pending && `, a payment of this computer that ${known}`;
    super(`this gateway does not know transaction ${hash}${own ?? ''}`);
    this.hint = pending
      ? 'Run `zbc-signer payments resume`, which sends the same bytes again. The payment is made only once.'
      : 'Check the hash, and check that --api is a gateway of the right chain. Another gateway may know the hash.';
    this.facts = pending
      ? { transactionHash: hash, sent: pending.sent, safeAfter: `${pending.safeAfter}` }
      : { transactionHash: hash };
  }
}

/** The journal of payments cannot be read, so whether earlier payments are settled is unknown. */
export class EarlierPaymentsError extends Error {
  override readonly name = 'EarlierPaymentsError';
  readonly code = 'JOURNAL_FAILED';
  readonly exit = 'usage' satisfies ExitName;
  readonly hint =
    'The journal may contain earlier payments that are not settled. If a file is damaged, look up the hash at the start of its name, and then move the file away. If a file cannot be read, make it readable. Then run `zbc-signer payments resume` before you pay any of these payments again.';
  readonly facts: ErrorFacts;
  constructor(
    directory: string,
    override readonly cause: unknown,
  ) {
    const reason = cause instanceof Error ? cause.message : 'unknown reason';
    super(`the journal of payments cannot be read: ${reason}`);
    const { facts }: { facts?: ErrorFacts } = Object(cause);
    this.facts = { ...facts, directory };
  }
}

/** The gateway has no answer to a route that exists, such as a block above the newest. */
export class NoRecordError extends Error {
  override readonly name = 'NoRecordError';
  readonly code = 'NO_RECORD';
  readonly exit = 'notFound' satisfies ExitName;
  constructor(route: string) {
    super(`the gateway has nothing at ${route}`);
  }
}

export class NoFaucetError extends Error {
  override readonly name = 'NoFaucetError';
  readonly code = 'NO_FAUCET';
  readonly exit = 'notFound' satisfies ExitName;
  readonly hint = '`zbc-signer devnet` starts a development network, which has a faucet.';
  constructor() {
    super('this gateway has no faucet');
  }
}

/** The signature was not made by this account for this text. */
export class MessageSignatureError extends Error {
  override readonly name = 'MessageSignatureError';
  readonly code = 'MESSAGE_SIGNATURE';
  readonly exit = 'integrity' satisfies ExitName;
  readonly hint = 'Check that the text is the signed text, byte for byte, with all line feeds.';
  readonly facts: Readonly<Record<string, string>>;
  constructor(address: string) {
    super(`this is not a signature of this text by ${address}`);
    this.facts = { address };
  }
}

/** No release on the chain has a file with this SHA-256, in lower-case hex. */
export class NotPublishedError extends Error {
  override readonly name = 'NotPublishedError';
  readonly code = 'NOT_PUBLISHED';
  readonly exit = 'integrity' satisfies ExitName;
  readonly hint = 'Do not run this file unless you built it yourself.';
  readonly facts: Readonly<Record<string, string>>;
  constructor(file: string, sha256: string) {
    super(`${file} is not in any release on the chain: its SHA-256 is ${sha256}`);
    this.facts = { file, sha256 };
  }
}

/** An invalid value with its source: an option, an argument, a variable or the configuration. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
  constructor(
    readonly option: string,
    override readonly cause: Error,
  ) {
    super(`${option}: ${cause.message}`);
  }
}

/** Parses a value; throws any error as an OptionError. */
export function inOption<Value>(option: string, parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    throw error instanceof Error ? new OptionError(option, error) : error;
  }
}

/** An option for a port, and its value. `free` is the value of the option that picks any free port. */
interface PortOption {
  option: string;
  port: number;
  free?: 'auto';
}

/** Converts Node's errors about ports and addresses to usage errors; returns any other error unchanged. */
export function explainListenError(error: unknown, ports: readonly PortOption[]): unknown {
  const { code, port } = Object(systemErrorOf(error)) as { code?: unknown; port?: unknown };
  const used = ports.find(each => each.port === port) ?? ports[0]!;
  switch (code) {
    case 'EADDRINUSE':
    case 'PORT_IN_USE':
      return new PortInUseError(
        used.port,
        `Choose another port with ${used.option}, or use ${used.free ?? 0} for any free port.`,
      );
    case 'EACCES':
      return new UsageError(`permission denied for port ${used.port} or the data directory`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new UsageError('--host is not an address of this computer');
    default:
      return error;
  }
}

/** Returns Node's error, which is the `cause` of a gateway's or emulator's error. */
function systemErrorOf(error: unknown): unknown {
  const code: unknown = Reflect.get(Object(error), 'code');
  return code === 'LISTEN_FAILED' ? Reflect.get(Object(error), 'cause') : error;
}
