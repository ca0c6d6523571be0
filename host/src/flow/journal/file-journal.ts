import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pid, platform } from 'node:process';
import { formatJson, parseJson, toHex } from '@zbc-signer/chain';
import { formatDocument, parseSignedDocument } from '../document.js';
import { journalDamagedError } from '../errors.js';
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

/** An entry, as it stands in its file. */
interface Entry {
  payment: SignedTransaction;
  /** The process that sends it, until it says how that ended. */
  sender: number | undefined;
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
    await this.#write({ payment: { ...payment, sent: sentAfter('unknown', payment) }, sender: pid });
  }

  async ended(transactionHash: Uint8Array, end: PaymentEnd): Promise<void> {
    const name = `${toHex(transactionHash)}.json`;
    if (isSettled(end)) return this.#remove([name]);
    const entry = await this.#read(name);
    if (entry === undefined) return;
    const sent = sentAfter(end, entry.payment);
    await this.#write({ payment: { ...entry.payment, sent }, sender: undefined });
  }

  /** The oldest first. Throws for an entry that is damaged: it names the file, whose name is the hash. */
  async pending(): Promise<readonly PendingPayment[]> {
    const names = (await this.#names()).filter(name => PAYMENT_NAME.test(name));
    const entries = await Promise.all(names.map(name => this.#read(name)));
    return entries
      .flatMap(entry => (entry === undefined ? [] : [toPending(entry)]))
      .sort((a, b) => Number(a.transaction.timestamp - b.transaction.timestamp));
  }

  async reserve(payment: Reservation, taken: ReadonlySet<bigint>): Promise<bigint> {
    await mkdir(this.directory, { recursive: true, mode: PRIVATE_DIRECTORY });
    await this.#forgetReservations(payment.transaction.timestamp - KEPT_SECONDS);
    let { timestamp } = payment.transaction;
    while (taken.has(timestamp) || !(await this.#claim(payment, timestamp))) timestamp += 1n;
    return timestamp;
  }

  async release(payment: Reservation): Promise<void> {
    await this.#remove([reservationName(payment, payment.transaction.timestamp)]);
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
      const { size, mtimeMs: writtenMs } = await stat(path);
      if (size > MAX_BYTES) throw journalDamagedError(path, `it is longer than ${MAX_BYTES} bytes`);
      const entry = readEntry(await readFile(path, 'utf8'));
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
  const payment = parseSignedDocument(String(document));
  return { payment, sender: typeof sender === 'bigint' ? Number(sender) : undefined };
}

function toPending({ payment, sender, writtenMs }: KeptEntry): PendingPayment {
  const isRecent = Math.abs(Date.now() - writtenMs) < IN_FLIGHT_MS;
  return { ...payment, isInFlight: isRecent && sender !== undefined && isRunning(sender) };
}

/** A process that may not be signalled runs too. */
function isRunning(processId: number): boolean {
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
