// Reads the items of a review back into the unsigned bytes (docs/TRANSACTION.md), like a user who knows the
// format. Data that no screen shows is given: the bytes of binary values, whose length and hash are shown,
// and the fee-in-token flag and signature of the linked transaction, which its hash covers. Without details,
// the user's own account, the timestamp, and the timestamp and fee of the linked transaction are given too.
import { createHash } from 'node:crypto';
import { u32, u64 } from '../../testkit/crypto/little-endian.js';
import type { ReadItem } from './items.js';
import { UnreadablePage } from './page.js';

export interface ReviewContext {
  /** For a review without details: data of the user's own account and of any linked transaction. */
  hidden?: { publicKey: Uint8Array; timestamp: bigint; linked?: { timestamp: bigint; fee: bigint } };
  genesisHash: Uint8Array;
  /** Bytes of the values shown as binary, by title. */
  binary: ReadonlyMap<string, Uint8Array>;
  /** Hidden data of the linked transaction. */
  linked?: { feeInToken: Uint8Array; signature: Uint8Array };
  networks: ReadonlyMap<string, string>;
  token?: { decimals?: number; symbol?: string } | undefined;
}

interface ReadBack {
  transaction: Buffer;
  linked: Buffer;
  /** The value of `Account index`. */
  account?: number;
}

const KINDS = [
  ['Bitcoin', 1, 20],
  ['Estonian eID', 3, 32],
  ['Ethereum', 4, 20],
  ['Bitcoin P2PKH', 5, 20],
  ['Bitcoin P2SH', 6, 20],
  ['Bitcoin P2WPKH', 7, 20],
  ['Bitcoin P2WSH', 8, 32],
  ['Bitcoin Taproot', 9, 32],
  ['Dataset', 10, 32],
  ['Solana', 11, 32],
  ['Polkadot', 12, 32],
  ['Cardano', 13, 28],
  ['XRP', 14, 20],
  ['Tron', 15, 20],
  ['Tezos', 16, 20],
] as const;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

const sha3 = (...parts: Uint8Array[]) => createHash('sha3-256').update(Buffer.concat(parts)).digest();

function publicKeyOf(address: string): Buffer {
  const match = /^ZBC((?:_[A-Z2-7]{8}){7})$/.exec(address);
  if (!match) throw new UnreadablePage(`this is not an address: ${address}`);
  let bits = 0n;
  for (const digit of match[1]!.replaceAll('_', '')) bits = (bits << 5n) | BigInt(BASE32.indexOf(digit));
  const bytes = Buffer.from(bits.toString(16).padStart(70, '0'), 'hex');
  const key = bytes.subarray(0, 32);
  if (!sha3(key, Buffer.from('ZBC')).subarray(0, 3).equals(bytes.subarray(32))) {
    throw new UnreadablePage('an address has a wrong checksum');
  }
  return key;
}

function accountOf(value: string): Buffer {
  if (value.startsWith('ZBC_')) return Buffer.concat([u32(0), publicKeyOf(value)]);
  const [, name, hex] = /^(.+) ([0-9a-f]+)$/.exec(value) ?? [];
  const kind = KINDS.find(([each]) => each === name);
  if (!kind || hex?.length !== 2 * kind[2]) throw new UnreadablePage(`this is not an account: ${value}`);
  return Buffer.concat([u32(kind[1]), Buffer.from(hex, 'hex')]);
}

function decimalOf(value: string): bigint {
  if (!/^(0|-?[1-9]\d*)$/.test(value)) throw new UnreadablePage(`this is not a number: ${value}`);
  return BigInt(value);
}

/** Atomic units of a text such as `1.5`, given the number of decimals. */
function scaledOf(value: string, decimals: number): bigint {
  const [, whole, fraction = ''] = /^(0|[1-9]\d*)(?:\.(\d*[1-9]))?$/.exec(value) ?? [];
  if (whole === undefined || fraction.length > decimals)
    throw new UnreadablePage(`this is not an amount: ${value}`);
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

function coinsOf(value: string): bigint {
  if (!value.endsWith(' ZBC')) throw new UnreadablePage(`this is not an amount of coins: ${value}`);
  return scaledOf(value.slice(0, -4), 8);
}

function unitsOf(value: string): bigint {
  const [, number] = /^(\d+) atomic units$/.exec(value) ?? [];
  if (number === undefined) throw new UnreadablePage(`this is not an amount of atomic units: ${value}`);
  return decimalOf(number);
}

function secondsOf(value: string): bigint {
  const [, number] = /^(\d+) \(Unix seconds\)$/.exec(value) ?? [];
  if (number !== undefined) {
    const seconds = decimalOf(number);
    if (seconds < 253402300800n)
      throw new UnreadablePage('a time before the year 10000 is shown as a number');
    return seconds;
  }
  const [, date, clock] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC$/.exec(value) ?? [];
  const time = Date.parse(`${date}T${clock}.000Z`);
  if (Number.isNaN(time) || new Date(time).toISOString() !== `${date}T${clock}.000Z`) {
    throw new UnreadablePage(`this is not a time: ${value}`);
  }
  return BigInt(time / 1000);
}

function flagOf(value: string): number {
  if (value !== 'Yes' && value !== 'No') throw new UnreadablePage(`this is neither Yes nor No: ${value}`);
  return value === 'Yes' ? 1 : 0;
}

class ItemReader {
  #at = 0;
  readonly #items: readonly ReadItem[];
  readonly #given: ReviewContext;

  constructor(items: readonly ReadItem[], given: ReviewContext) {
    this.#items = items;
    this.#given = given;
  }

  /** Returns the next item's value, if it has this title. */
  maybe(title: string): string | undefined {
    const item = this.#items[this.#at];
    if (item?.title !== title) return undefined;
    if (item.inverse) throw new UnreadablePage(`the item ${title} is inverse`);
    this.#at++;
    return item.value;
  }

  take(title: string): string {
    const value = this.maybe(title);
    if (value === undefined) throw new UnreadablePage(`the item ${title} is missing`);
    return value;
  }

  /**
   * Returns the bytes of a text, or the given bytes if the item shows their binary form; empty if the next
   * item has another title.
   */
  bytes(title: string): Buffer {
    const item = this.#items[this.#at];
    if (item?.title !== title) return Buffer.alloc(0);
    this.#at++;
    if (!item.inverse) return Buffer.from(item.value, 'latin1');
    const bytes = Buffer.from(this.#given.binary.get(title) ?? []);
    const digits = sha3(bytes).toString('hex');
    if (item.value !== `${bytes.length} bytes (binary) ${digits.slice(0, 8)}`)
      throw new UnreadablePage(`the item ${title} shows other bytes`);
    this.detail(`${title} hash`, digits);
    return bytes;
  }

  /** Compares a detail with the value that follows from the data read before. */
  detail(title: string, right: string): void {
    if (!this.#given.hidden && this.take(title) !== right)
      throw new UnreadablePage(`the item ${title} has a wrong value`);
  }

  finish(): void {
    const rest = this.#items[this.#at];
    if (rest) throw new UnreadablePage(`the item ${rest.title} is superfluous`);
  }
}

const counted = (bytes: Uint8Array) => Buffer.concat([u32(bytes.length), bytes]);

function readNetwork(items: ItemReader, { genesisHash, networks }: ReviewContext): void {
  const hex = Buffer.from(genesisHash).toString('hex');
  const value = items.take('Network');
  if (value !== (networks.get(hex) ?? `UNKNOWN CHAIN ${hex.slice(0, 8)}`))
    throw new UnreadablePage(`the network is wrong: ${value}`);
  if (!networks.has(hex)) items.detail('Chain hash', hex);
}

function checkReported(value: string | undefined, amount: bigint, token: ReviewContext['token']): void {
  const hasToken = token?.decimals !== undefined || (token?.symbol ?? '') !== '';
  if ((value !== undefined) !== hasToken)
    throw new UnreadablePage('the item As reported by the app is wrongly shown or omitted');
  if (value === undefined || !token) return;
  const symbol = token.symbol ? ` ${token.symbol}` : '';
  if (!value.endsWith(symbol)) throw new UnreadablePage('the reported symbol is wrong');
  const number = value.slice(0, value.length - symbol.length);
  const read = token.decimals === undefined ? unitsOf(number) : scaledOf(number, token.decimals);
  if (read !== amount) throw new UnreadablePage('the reported amount is wrong');
}

interface Terms {
  commission: bigint;
  rest: Buffer;
}

/** Reads `Escrow commission` to `Escrow multi-party`; `total` checks the detail between. */
function readTerms(items: ItemReader, total?: (commission: bigint) => void): Terms {
  const commission = coinsOf(items.take('Escrow commission'));
  total?.(commission);
  const timeout = secondsOf(items.take('Escrow timeout'));
  const instruction = items.bytes('Escrow instruction');
  const multiParty = items.maybe('Escrow multi-party');
  if (multiParty !== undefined) flagOf(multiParty);
  const flag = Buffer.of(multiParty === 'Yes' ? 1 : 0);
  return { commission, rest: Buffer.concat([u64(timeout), counted(instruction), flag]) };
}

const termBytes = (approver: Buffer, { commission, rest }: Terms) =>
  Buffer.concat([approver, u64(commission), rest]);

interface Sender {
  account?: number;
  publicKey: Uint8Array;
  timestamp: bigint;
}

function readSender(items: ItemReader, { hidden }: ReviewContext): Sender {
  if (hidden) return hidden;
  const account = Number(decimalOf(items.take('Account index')));
  const publicKey = publicKeyOf(items.take('From'));
  return { account, publicKey, timestamp: secondsOf(items.take('Timestamp')) };
}

function head(
  type: number,
  timestamp: bigint,
  publicKey: Uint8Array,
  recipient: Buffer,
  fee: bigint,
): Buffer {
  return Buffer.concat([u32(type), Buffer.of(1), u64(timestamp), u32(0), publicKey, recipient, u64(fee)]);
}

const NO_ACCOUNT = u32(2);

function readTransfer(items: ItemReader, type: 1 | 11, sender: Sender, given: ReviewContext): Buffer {
  const amount = type === 1 ? coinsOf(items.take('Amount')) : 0n;
  const recipient = accountOf(items.take('Recipient'));
  const fee = coinsOf(items.take('Fee'));
  if (type === 1 && coinsOf(items.take('Total leaving')) !== amount + fee)
    throw new UnreadablePage('the total is wrong');
  const message = items.bytes('Message');
  const approver = items.maybe('Escrow approver');
  const total = (commission: bigint): void => {
    if (given.hidden || type !== 1) return;
    if (coinsOf(items.take('Total with commission')) !== amount + fee + commission)
      throw new UnreadablePage('the total with commission is wrong');
  };
  const escrow =
    approver === undefined ? NO_ACCOUNT : termBytes(accountOf(approver), readTerms(items, total));
  const body = type === 1 ? u64(amount) : readTokenBody(items, given);
  return Buffer.concat([
    head(type, sender.timestamp, sender.publicKey, recipient, fee),
    counted(body),
    escrow,
    counted(message),
  ]);
}

function readTokenBody(items: ItemReader, given: ReviewContext): Buffer {
  const id = decimalOf(items.take('Token'));
  const amount = unitsOf(items.take('Token amount'));
  checkReported(items.maybe('As reported by the app'), amount, given.token);
  const flag = items.maybe('Fee in token');
  return Buffer.concat([
    u64(BigInt.asUintN(64, id)),
    u64(amount),
    flag === undefined ? Buffer.alloc(0) : Buffer.of(flagOf(flag)),
  ]);
}

/** Builds the linked transaction from its shown and its given data. */
function readLinked(items: ItemReader, ownKey: Uint8Array, given: ReviewContext): Buffer {
  const { linked } = given;
  if (!linked) throw new UnreadablePage('an approval has no linked transaction');
  const names: Record<string, 1 | 11> = { 'Send ZBC': 1, 'Send token': 11 };
  const type = names[items.take('Escrow type')];
  if (type === undefined) throw new UnreadablePage('the type of the escrow is unknown');
  const { timestamp, fee } = given.hidden?.linked ?? {
    timestamp: secondsOf(items.take('Escrow timestamp')),
    fee: coinsOf(items.take('Escrow fee')),
  };
  const body =
    type === 1
      ? u64(coinsOf(items.take('Escrow amount')))
      : Buffer.concat([
          u64(BigInt.asUintN(64, decimalOf(items.take('Escrow token')))),
          u64(unitsOf(items.take('Escrow token amount'))),
          linked.feeInToken,
        ]);
  const sender = publicKeyOf(items.take('Escrow sender'));
  const recipient = accountOf(items.take('Escrow recipient'));
  const terms = readTerms(items);
  const message = items.bytes('Escrow message');
  return Buffer.concat([
    head(type, timestamp, sender, recipient, fee),
    counted(body),
    termBytes(Buffer.concat([u32(0), ownKey]), terms),
    counted(message),
    linked.signature,
  ]);
}

function readApproval(items: ItemReader, sender: Sender, given: ReviewContext): ReadBack {
  const message = items.bytes('Message');
  const decision = items.take('Escrow decision');
  if (decision !== 'APPROVE' && decision !== 'REJECT')
    throw new UnreadablePage('the decision is neither APPROVE nor REJECT');
  const shownHash = given.hidden ? undefined : items.take('Escrow transaction');
  const linked = readLinked(items, sender.publicKey, given);
  const hash = sha3(linked);
  if (shownHash !== undefined && shownHash !== hash.toString('hex'))
    throw new UnreadablePage('the item Escrow transaction has a wrong value');
  const fee = coinsOf(items.take('Fee'));
  const body = Buffer.concat([u32(decision === 'APPROVE' ? 0 : 1), hash]);
  const transaction = Buffer.concat([
    head(4, sender.timestamp, sender.publicKey, NO_ACCOUNT, fee),
    counted(body),
    NO_ACCOUNT,
    counted(message),
  ]);
  return { transaction, linked };
}

/** Reads the items of a SIGN_TX review; throws an UnreadablePage if no transaction has them. */
export function readTransaction(read: readonly ReadItem[], given: ReviewContext): ReadBack {
  const items = new ItemReader(read, given);
  readNetwork(items, given);
  const type = items.take('Type');
  const sender = readSender(items, given);
  let result: ReadBack;
  if (type === 'Approve escrow') result = readApproval(items, sender, given);
  else if (type === 'Send ZBC' || type === 'Send token') {
    const transaction = readTransfer(items, type === 'Send ZBC' ? 1 : 11, sender, given);
    result = { transaction, linked: Buffer.alloc(0) };
  } else throw new UnreadablePage(`the type is unknown: ${type}`);
  items.finish();
  return sender.account === undefined ? result : { ...result, account: sender.account };
}
