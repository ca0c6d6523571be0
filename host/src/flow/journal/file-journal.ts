import { createHash, randomBytes } from 'node:crypto';
import { constants, readFileSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pid, platform } from 'node:process';
import { formatJson, parseJson, toHex } from '@zbc-signer/chain';
import { formatDocument, parseSignedDocument } from '../document.js';
import { journalDamagedError, journalError } from '../errors.js';
import type { SignedTransaction } from '../prepared.js';
import {
  isSettled,
  type PaymentEnd,
  type PaymentJournal,
  type PendingPayment,
  paymentKey,
  type Reservation,
  sentAfter,
} from './journal.js';

const PAYMENT_NAME = /^([0-9a-f]{64})\.json$/;
const RESERVATION_NAME = /^[0-9a-f]{64}-(\d{1,20})\.reserved$/;
const PART_SUFFIX = '.part';
/** Reservations of timestamps are forgotten after a day: nodes reject a timestamp of more than an hour ago. */
const KEPT_SECONDS = 86_400n;
/** An entry with the largest document. */
const MAX_BYTES = 131_072;
/** A process that has noted nothing for so long is not believed to be sending: its number may be another's now. */
const IN_FLIGHT_MS = 600_000;
const PRIVATE_FILE = 0o600;
const PRIVATE_DIRECTORY = 0o700;

/** Of this process alone: its number may have been another's before. */
const NONCE = randomBytes(8).toString('hex');

/** A process; when it began is known of Linux only. */
interface Sender {
  pid: number;
  began: string | undefined;
  nonce: string;
}

/** An entry, as it stands in its file. */
interface Entry {
  payment: SignedTransaction;
  /** The process that sends it, until it says how that ended. */
  sender: Sender | undefined;
}

/** An entry with the time of its file. */
interface KeptEntry extends Entry {
  writtenMs: number;
}

/**
 * A journal in a directory, for any number of processes of one machine at a time. Each payment is a file of its
 * own, named by its hash, which is replaced whole and is on the disk before a call returns, so that neither a
 * killed process nor a power cut leaves half of one. It holds signed transactions, which are no secret, and no
 * key. A directory of a network file system that does not keep the rules of POSIX is not enough.
 */
export class FileJournal implements PaymentJournal {
  /** Made when it is first written, for its user alone. */
  constructor(readonly directory: string) {}

  async signed(payment: SignedTransaction): Promise<void> {
    const sender = { pid, began: processState(pid)?.began, nonce: NONCE };
    await this.#call(() =>
      this.#write({ payment: { ...payment, sent: sentAfter('unknown', payment) }, sender }),
    );
  }

  async ended(transactionHash: Uint8Array, end: PaymentEnd): Promise<void> {
    const name = `${toHex(transactionHash)}.json`;
    await this.#call(async () => {
      if (isSettled(end)) return this.#remove([name]);
      const entry = await this.#read(name);
      if (entry === undefined) return;
      const sent = sentAfter(end, entry.payment);
      await this.#write({ payment: { ...entry.payment, sent }, sender: undefined });
    });
  }

  /** The oldest first. Throws for an entry that is damaged: it names the file, whose name is the hash. */
  async pending(): Promise<readonly PendingPayment[]> {
    const names = (await this.#call(() => this.#names())).filter(name => PAYMENT_NAME.test(name));
    const entries = await Promise.all(names.map(name => this.#read(name)));
    return entries
      .flatMap(entry => (entry === undefined ? [] : [toPending(entry)]))
      .sort((a, b) => Number(a.transaction.timestamp - b.transaction.timestamp));
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

  /** What the file system says becomes `JOURNAL_FAILED`, with the directory. */
  async #call<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw journalError(error, this.directory);
    }
  }

  /** False if a process has this timestamp already. */
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

  async #write({ payment, sender }: Entry): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: PRIVATE_DIRECTORY });
    const path = join(this.directory, `${toHex(payment.transactionHash)}.json`);
    const part = `${path}.${pid}.${randomBytes(4).toString('hex')}${PART_SUFFIX}`;
    const document = formatDocument(payment);
    try {
      await writeDurably(part, `${formatJson({ ...(sender !== undefined && { sender }), document })}\n`);
      await rename(part, path);
    } catch (error) {
      await rm(part, { force: true }).catch(() => {});
      throw error;
    }
    await this.#sync();
  }

  async #remove(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    await Promise.all(names.map(name => rm(join(this.directory, name), { force: true })));
    await this.#sync();
  }

  /** Names that were changed are on the disk too. Windows has no such call, and opens no directory. */
  async #sync(): Promise<void> {
    if (platform === 'win32') return;
    const directory = await open(this.directory, 'r');
    await directory.sync().finally(() => directory.close());
  }

  async #names(): Promise<string[]> {
    try {
      return await readdir(this.directory);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    }
  }

  /** Undefined for one that was settled meanwhile. */
  async #read(name: string): Promise<KeptEntry | undefined> {
    const path = join(this.directory, name);
    try {
      const { text, writtenMs } = await readBounded(path);
      const entry = readEntry(text);
      const isOwn = `${toHex(entry.payment.transactionHash)}.json` === name;
      if (!isOwn) throw journalDamagedError(path, 'it has another hash');
      return { ...entry, writtenMs };
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      if (codeOf(error) === 'JOURNAL_FAILED') throw error;
      throw journalDamagedError(path, error instanceof Error ? error.message : 'it cannot be read', error);
    }
  }
}

function readEntry(text: string): Entry {
  const { sender, document }: { sender?: unknown; document?: unknown } = Object(parseJson(text));
  return { payment: parseSignedDocument(String(document)), sender: readSender(sender) };
}

function readSender(sender: unknown): Sender | undefined {
  const { pid: number, began, nonce }: Record<string, unknown> = Object(sender);
  if (typeof number !== 'bigint') return undefined;
  return { pid: Number(number), began: typeof began === 'string' ? began : undefined, nonce: `${nonce}` };
}

/** A regular file alone, and no more of it than an entry may have: anybody may have put it there. */
async function readBounded(path: string): Promise<{ text: string; writtenMs: number }> {
  // Neither a link is followed, nor a writer to a pipe awaited. Windows has no such flags.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const status = await file.stat();
    if (!status.isFile()) throw journalDamagedError(path, 'it is no file');
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES + 1));
    if (bytesRead > MAX_BYTES) throw journalDamagedError(path, `it is longer than ${MAX_BYTES} bytes`);
    return { text: buffer.toString('utf8', 0, bytesRead), writtenMs: status.mtimeMs };
  } finally {
    await file.close();
  }
}

function toPending({ payment, sender, writtenMs }: KeptEntry): PendingPayment {
  const isRecent = Math.abs(Date.now() - writtenMs) < IN_FLIGHT_MS;
  return { ...payment, isInFlight: isRecent && sender !== undefined && isRunning(sender) };
}

/** Whether it is this process, or another that still runs and began when the sender did. */
function isRunning({ pid: processId, began, nonce }: Sender): boolean {
  if (processId === pid) return nonce === NONCE;
  if (!exists(processId)) return false;
  const state = processState(processId);
  return state === undefined || (!state.isDead && (began ?? state.began) === state.began);
}

/** What Linux says of a process; undefined elsewhere. */
function processState(processId: number): { began: string | undefined; isDead: boolean } | undefined {
  try {
    const stat = readFileSync(`/proc/${processId}/stat`, 'latin1');
    // The name before it may have blanks and parentheses; proc(5) counts the state as field 3.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { began: fields[22 - 3], isDead: fields[0] === 'Z' };
  } catch {
    return undefined;
  }
}

/** A process that may not be signalled runs too. */
function exists(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file: FileHandle = await open(path, 'wx', PRIVATE_FILE);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

function reservationName(payment: Reservation, timestamp: bigint): string {
  const key = createHash('sha256').update(paymentKey(payment)).digest('hex');
  return `${key}-${timestamp}.reserved`;
}

function codeOf(error: unknown): unknown {
  return Reflect.get(Object(error), 'code');
}
