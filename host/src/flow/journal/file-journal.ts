import { createHash, randomBytes } from 'node:crypto';
import { constants, readFileSync, readlinkSync } from 'node:fs';
import { lstat, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pid } from 'node:process';
import { formatJson, parseJson, toHex } from '@zbc-signer/chain';
import { bindMembers } from '@zbc-signer/protocol/bound-members';
import { reasonOf } from '../../errors.js';
import {
  PRIVATE_DIRECTORY,
  PRIVATE_FILE,
  readPrivateFile,
  replacePrivateFile,
  syncDirectory,
} from '../../private-file.js';
import { formatDocument, parseSignedDocument } from '../document.js';
import { journalDamagedError, journalError, journalUnreadableError } from '../errors.js';
import type { SignedTransaction } from '../prepared.js';
import {
  broadcastStateAfter,
  duplicateKey,
  isSettled,
  keptBroadcastState,
  type PaymentEnd,
  type PaymentJournal,
  type PendingPayment,
  type Reservation,
} from './journal.js';

/** The file name of an entry: the payment's hash, and a nonce that distinguishes calls of `signed`. */
const ENTRY_NAME = /^([0-9a-f]{64})-[0-9a-f]{16}\.json$/;
const RESERVATION_NAME = /^[0-9a-f]{64}-(\d{1,20})\.reserved$/;
/** Age at which a reserved timestamp is forgotten. Nodes reject timestamps that are more than an hour old. */
const KEPT_SECONDS = 86_400n;
/** Maximum size of an entry. An entry with the largest transaction document is smaller. */
const MAX_BYTES = 131_072;
/** Number of entries that are read at once. The system limits the open files of a process. */
const READ_AT_ONCE = 16;
/** Error codes of `open` if the path is a symbolic link or a socket. */
const NO_FILE_CODES: readonly unknown[] = ['ELOOP', 'EMLINK', 'ENXIO'];
/**
 * An entry that another process wrote longer ago than this does not count as in flight, even if a process
 * with that id is running: the system may have given the id to another process.
 */
const IN_FLIGHT_MS = 600_000;

/**
 * Identifies this process. The process id does not, because the system may give it to another process later.
 */
const NONCE = randomBytes(8).toString('hex');
/** The PID namespace of this process. Every container numbers its processes separately. */
const NAMESPACE = namespaceOfThis();
/**
 * File names of the entries whose payments this process is still sending, each with its directory. Paths
 * would not identify them, because one directory may have several paths.
 */
const SENDING = new Map<string, string>();

/** A process that sends a payment. `began`, its start time, and `namespace` are known only on Linux. */
interface Sender {
  pid: number;
  began: string | undefined;
  namespace: string | undefined;
  nonce: string;
}

/** The content of an entry's file. */
interface Entry {
  payment: SignedTransaction;
  /** The process that is sending the payment; undefined once that process has noted an outcome. */
  sender: Sender | undefined;
}

/** An entry with the name of its file, and the time when the file was last written. */
interface KeptEntry extends Entry {
  name: string;
  writtenMs: number;
}

/**
 * A journal in a directory, for any number of processes of one machine at a time. Each call that sends a
 * payment has its own file, whose name begins with the payment's hash. No other call changes the file while
 * its own call runs. The file is deleted when the payment is settled. If its own call has sent no byte, that
 * call deletes the file. Files are replaced atomically and flushed before a call returns, so that neither a
 * killed process nor a power cut leaves an incomplete file. The files contain signed transactions, which are
 * not secret. They contain no key. The directory must not be on a network file system without POSIX
 * semantics.
 */
export class FileJournal implements PaymentJournal {
  readonly directory: string;

  /** The directory is created at the first write, accessible only to its user. */
  constructor(directory: string) {
    bindMembers(this);
    this.directory = resolve(directory);
  }

  async signed(payment: SignedTransaction): Promise<void> {
    const sender = { pid, began: processState(pid)?.began, namespace: NAMESPACE, nonce: NONCE };
    const name = `${toHex(payment.transactionHash)}-${randomBytes(8).toString('hex')}.json`;
    SENDING.set(name, this.directory);
    try {
      await this.#call(() =>
        this.#write(name, { payment: { ...payment, sent: keptBroadcastState(payment.sent) }, sender }),
      );
    } catch (error) {
      SENDING.delete(name);
      await rm(join(this.directory, name), { force: true }).catch(() => {});
      throw error;
    }
  }

  /**
   * Writes the entry of this call, then looks for entries of other calls. A call that withdraws the payment
   * removes its own entry, then also looks for others. Of two such calls at the same time, at least one sees
   * the other's entry.
   */
  async takeOver(payment: SignedTransaction): Promise<boolean> {
    await this.signed(payment);
    let isFound = false;
    try {
      const entries = await this.#call(() => this.#entriesOf(toHex(payment.transactionHash)));
      isFound = entries.length > 1;
    } finally {
      if (!isFound) await this.ended(payment.transactionHash, 'notSent');
    }
    return isFound;
  }

  async ended(transactionHash: Uint8Array, end: PaymentEnd): Promise<void> {
    const hash = toHex(transactionHash);
    await this.#call(async () => {
      const names = await this.#entriesOf(hash).catch(error => {
        // This process no longer sends the payment, although it cannot note the outcome.
        const isOwn = (name: string) => name.startsWith(hash) && SENDING.get(name) === this.directory;
        SENDING.delete([...SENDING.keys()].find(isOwn) ?? '');
        throw error;
      });
      const own = names.find(name => SENDING.delete(name));
      if (isSettled(end)) return this.#remove([...names, heldName(hash)]);
      if (own === undefined) return end === 'unknown' ? this.#noteUnknown(names) : undefined;
      if (end === 'notSent') return this.#remove(names.length === 1 ? [own, heldName(hash)] : [own]);
      const entry = await this.#read(own);
      if (entry === undefined) return;
      const payment = { ...entry.payment, sent: broadcastStateAfter(end, entry.payment) };
      const others = await this.#readAll(names.filter(name => name !== own));
      // If another entry has the same content, this one is removed, because every attempt to settle the
      // payment would leave one more such entry.
      if (others.some(other => !other.sender && other.payment.sent === payment.sent))
        return this.#remove([own]);
      await this.#write(own, { payment, sender: undefined });
    });
  }

  /**
   * The pending payments, oldest first. Throws `JOURNAL_FAILED` for a damaged entry. The message contains the
   * path of its file.
   */
  async pending(): Promise<readonly PendingPayment[]> {
    const names = await this.#call(() => this.#names());
    const payments = new Map<string, PendingPayment>();
    for (const entry of await this.#readAll(names.filter(name => ENTRY_NAME.test(name)))) {
      const hash = toHex(entry.payment.transactionHash);
      const isHeld = names.includes(heldName(hash));
      payments.set(hash, mergePending({ ...this.#toPending(entry), isHeld }, payments.get(hash)));
    }
    return [...payments.values()].sort((a, b) => Number(a.transaction.timestamp - b.transaction.timestamp));
  }

  async hold(transactionHash: Uint8Array): Promise<void> {
    await this.#call(async () => {
      const path = join(this.directory, heldName(toHex(transactionHash)));
      // Links are not followed, and a pipe without a reader does not block.
      const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
      const file = await open(path, flags, PRIVATE_FILE);
      await file.close();
      await syncDirectory(this.directory);
    });
  }

  async reserve(payment: Reservation, taken: ReadonlySet<bigint>): Promise<bigint> {
    return this.#call(async () => {
      await mkdir(this.directory, { recursive: true, mode: PRIVATE_DIRECTORY });
      await this.#forgetReservations(payment.transaction.timestamp - KEPT_SECONDS);
      let { timestamp } = payment.transaction;
      while (taken.has(timestamp) || !(await this.#claim(payment, timestamp))) timestamp += 1n;
      return timestamp;
    });
  }

  async release(payment: Reservation): Promise<void> {
    await this.#call(() => this.#remove([reservationName(payment, payment.transaction.timestamp)]));
  }

  /**
   * Changes `sent` from `yes` to `maybe` in the entries that no process is sending: the reported acceptance
   * was false.
   */
  async #noteUnknown(names: readonly string[]): Promise<void> {
    for (const { name, sender, payment } of await this.#readAll(names)) {
      if (sender === undefined && payment.sent === 'yes')
        await this.#write(name, { payment: { ...payment, sent: 'maybe' }, sender });
    }
  }

  /** Turns an error of the file system into `JOURNAL_FAILED`. The message contains the directory. */
  async #call<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw journalError(error, this.directory);
    }
  }

  /** Reserves a timestamp. Returns false if an equal payment has reserved it already. */
  async #claim(payment: Reservation, timestamp: bigint): Promise<boolean> {
    try {
      const file = await open(join(this.directory, reservationName(payment, timestamp)), 'wx', PRIVATE_FILE);
      await file.close();
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    }
  }

  async #forgetReservations(oldest: bigint): Promise<void> {
    const names = await this.#names();
    await this.#remove(names.filter(name => BigInt(RESERVATION_NAME.exec(name)?.[1] ?? oldest) < oldest));
  }

  async #write(name: string, { payment, sender }: Entry): Promise<void> {
    const content = { ...(sender !== undefined && { sender }), document: formatDocument(payment) };
    await replacePrivateFile(join(this.directory, name), `${formatJson(content)}\n`);
  }

  async #remove(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    await Promise.all(names.map(name => rm(join(this.directory, name), { force: true })));
    await syncDirectory(this.directory);
  }

  async #names(): Promise<string[]> {
    try {
      return await readdir(this.directory);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      // Another program may create the directory after the first attempt to read it.
      return (await isThere(this.directory)) ? readdir(this.directory) : [];
    }
  }

  async #entriesOf(hash: string): Promise<string[]> {
    return (await this.#names()).filter(name => ENTRY_NAME.exec(name)?.[1] === hash);
  }

  /** Reads the entries, except those that were deleted meanwhile. */
  async #readAll(names: readonly string[]): Promise<KeptEntry[]> {
    const entries: KeptEntry[] = [];
    for (let at = 0; at < names.length; at += READ_AT_ONCE) {
      const some = names.slice(at, at + READ_AT_ONCE).map(name => this.#read(name));
      entries.push(...(await Promise.all(some)).flatMap(entry => entry ?? []));
    }
    return entries;
  }

  /** Reads an entry; undefined if it was deleted meanwhile. */
  async #read(name: string): Promise<KeptEntry | undefined> {
    const path = join(this.directory, name);
    const hash = name.slice(0, name.indexOf('-'));
    const damaged = (fault: string, error?: unknown) => journalDamagedError(path, hash, fault, error);
    try {
      const { text, writtenMs } = await readPrivateFile(path, MAX_BYTES, damaged);
      const entry = readEntry(text);
      if (toHex(entry.payment.transactionHash) !== hash)
        throw damaged('its transaction has a different hash');
      return { ...entry, name, writtenMs };
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      if (codeOf(error) === 'JOURNAL_FAILED') throw error;
      const isFault = 'syscall' in Object(error) && !NO_FILE_CODES.includes(codeOf(error));
      if (isFault) throw journalUnreadableError(path, hash, error);
      throw damaged(reasonOf(error), error);
    }
  }

  #toPending({ payment, sender, name, writtenMs }: KeptEntry): PendingPayment {
    const isRecent = Math.abs(Date.now() - writtenMs) < IN_FLIGHT_MS;
    const isOwn = sender?.nonce === NONCE;
    const isInFlight = isOwn ? SENDING.has(name) : isRecent && isRunning(sender);
    return { ...payment, isInFlight };
  }
}

/** Combines the entries of two calls that sent the same payment. */
function mergePending(one: PendingPayment, other: PendingPayment = one): PendingPayment {
  return {
    ...one,
    sent: other.sent === 'yes' ? 'yes' : one.sent,
    isInFlight: one.isInFlight === true || other.isInFlight === true,
  };
}

function readEntry(text: string): Entry {
  const { sender, document }: { sender?: unknown; document?: unknown } = Object(parseJson(text));
  return { payment: parseSignedDocument(String(document)), sender: readSender(sender) };
}

function readSender(sender: unknown): Sender | undefined {
  const { pid: number, began, namespace, nonce }: Record<string, unknown> = Object(sender);
  if (typeof number !== 'bigint') return undefined;
  const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return { pid: Number(number), began: textOf(began), namespace: textOf(namespace), nonce: `${nonce}` };
}

/**
 * Whether the process that wrote an entry is still running. If another process now has its id, the result is
 * false. A process of another PID namespace is assumed to be running, because its id has no meaning here.
 */
function isRunning(sender: Sender | undefined): boolean {
  if (sender === undefined) return false;
  if (sender.namespace !== NAMESPACE) return true;
  if (!exists(sender.pid)) return false;
  const state = processState(sender.pid);
  return state === undefined || (!state.isDead && (sender.began ?? state.began) === state.began);
}

/**
 * The start time and the state of a process; undefined if it does not run, or on another system than Linux.
 */
function processState(processId: number): { began: string | undefined; isDead: boolean } | undefined {
  try {
    const stat = readFileSync(`/proc/${processId}/stat`, 'latin1');
    // The state, field 3 in proc(5), follows the program's name, which may contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { began: fields[22 - 3], isDead: fields[0] === 'Z' };
  } catch {
    return undefined;
  }
}

function namespaceOfThis(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return undefined;
  }
}

/** Whether a process with this id exists. EPERM means that it exists but belongs to another user. */
function exists(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function reservationName(payment: Reservation, timestamp: bigint): string {
  const key = createHash('sha256').update(duplicateKey(payment)).digest('hex');
  return `${key}-${timestamp}.reserved`;
}

/**
 * The name of the empty file that marks a payment as held: `resumePayments` looks it up, but does not send
 * it.
 */
function heldName(hash: string): string {
  return `${hash}.held`;
}

/**
 * Whether the path exists. A symbolic link whose target does not exist counts, such as one to an unmounted
 * volume.
 */
async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    error => {
      if (codeOf(error) === 'ENOENT') return false;
      throw error;
    },
  );
}

function codeOf(error: unknown): unknown {
  return Reflect.get(Object(error), 'code');
}
