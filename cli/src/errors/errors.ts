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

interface ErrorDetails extends ErrorOptions {
  hint?: string;
  facts?: ErrorFacts;
}

/** An error of a command with its code and the name of its exit code. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly hint: string | undefined;
  readonly facts: ErrorFacts;
  constructor(
    readonly code: string,
    readonly exit: ExitName,
    message: string,
    { hint, facts = {}, ...options }: ErrorDetails = {},
  ) {
    super(message, options);
    this.hint = hint;
    this.facts = facts;
  }
}

/** A server's port is taken; the hint names the option or setting that changes it. */
export function portInUseError(port: number, hint: string, message = `port ${port} is in use`): CommandError {
  return new CommandError('PORT_IN_USE', 'usage', message, { hint, facts: { port } });
}

/** The gateway does not know this hash; `pending` is this computer's payment with the hash. */
export function unknownTransactionError(
  hash: string,
  pending?: { sent: BroadcastState; safeAfter: bigint },
): CommandError {
  const known = pending?.sent === 'yes' ? 'a node has accepted' : 'may have been sent';
  const own = pending && `, a payment of this computer that ${known}`;
  const message = `this gateway does not know transaction ${hash}${own ?? ''}`;
  const hint = pending
    ? 'Run `zbc-signer payments resume`, which sends the same bytes again. The payment is made only once.'
    : 'Check the hash, and check that --api is a gateway of the right chain. Another gateway may know the hash.';
  const sent = pending && { sent: pending.sent, safeAfter: `${pending.safeAfter}` };
  const facts = { transactionHash: hash, ...sent };
  return new CommandError('UNKNOWN_TRANSACTION', 'notFound', message, { hint, facts });
}

/** The journal of payments cannot be read, so whether earlier payments are settled is unknown. */
export function earlierPaymentsError(directory: string, cause: unknown): CommandError {
  const reason = cause instanceof Error ? cause.message : 'unknown reason';
  const { facts }: { facts?: ErrorFacts } = Object(cause);
  return new CommandError('JOURNAL_FAILED', 'usage', `the journal of payments cannot be read: ${reason}`, {
    cause,
    hint: 'The journal may contain earlier payments that are not settled. If a file is damaged, look up the hash at the start of its name, and then move the file away. If a file cannot be read, make it readable. Then run `zbc-signer payments resume` before you pay any of these payments again.',
    facts: { ...facts, directory },
  });
}

/** The signature was not made by this account for this text. */
export function messageSignatureError(address: string): CommandError {
  const hint = 'Check that the text is the signed text, byte for byte, with all line feeds.';
  const message = `this is not a signature of this text by ${address}`;
  return new CommandError('MESSAGE_SIGNATURE', 'integrity', message, { hint, facts: { address } });
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
      return portInUseError(
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
