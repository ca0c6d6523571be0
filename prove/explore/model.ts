// What the signer must do (docs/APDU.md, docs/TRANSACTION.md), as a state and a step; apart from the
// firmware.
import { encodeAddress } from '@zbc-signer/chain';
import { NETWORKS } from '../read-back/check.js';
import {
  CASES,
  commandNamed,
  keyOf,
  LETTER,
  type SeedName,
  sha3,
  signatureOf,
  uploadBytes,
} from './alphabet.js';
import { type ExpectedPage, pagesOf } from './pages.js';

interface Upload {
  ins: 6 | 7;
  account: number;
  genesis: string;
  /** Of the transaction or message, and of what is linked. */
  length: number;
  linked: number;
  tail: string;
  bytes: string;
}

interface Review {
  kind: 'key' | 'transaction' | 'message';
  account: number;
  /** Seed that was there when it opened. */
  seed: SeedName;
  genesis: string;
  /** The name of the transaction, or the message. */
  what: string;
  details: boolean;
  page: number;
}

export interface Model {
  seed: SeedName | 'none';
  menu: number;
  refuses: boolean;
  details: boolean;
  /** The stored settings were torn, and nothing was set since. */
  reset?: true;
  upload?: Upload;
  review?: Review;
}

export type Event =
  | { kind: 'command'; name: string }
  | { kind: 'button'; button: number }
  | { kind: 'cancel' }
  | { kind: 'restart'; torn: boolean }
  | { kind: 'seed'; seed: SeedName | 'none' };

export interface Expected {
  model: Model;
  /** In hex; `refused` stands for any refusal of a transaction. */
  reply: string;
  /** What is drawn; undefined when nothing is. */
  shown?: string[] | ExpectedPage;
}

export const START: Model = { seed: 'A', menu: 0, refuses: false, details: false };

const hex = (...parts: Uint8Array[]) => Buffer.concat(parts).toString('hex');

const [MALFORMED, USER_REJECTED, TOO_LARGE, SENDER_MISMATCH] = ['6a80', '6985', 'b103', 'b101'];

/** A refusal with its details (docs/APDU.md#refusal-details). */
function refusal(status: string, reason: number, offset: number, field = 0): string {
  return hex(Buffer.of(field, offset & 0xff, offset >> 8, reason)) + status;
}

const UNKNOWN_CHAIN = refusal(USER_REJECTED, 10, 4);

const MENU_PAGES: ((model: Model) => string[])[] = [
  ({ seed }) => ['ZBC Signer', seed === 'none' ? 'is locked' : 'is ready'],
  ({ reset }) => ['Settings', ...(reset ? ['reset to defaults'] : [])],
  () => ['Version', '1.0.0'],
  ({ refuses }) => ['Unknown chains', refuses ? 'refused' : 'allowed'],
  ({ details }) => ['Details', details ? 'shown' : 'hidden'],
  () => ['Back'],
];

const menuOf = (model: Model) => MENU_PAGES[model.menu]!(model);

function itemsOf({ kind, account, seed, genesis, what, details }: Review): [string, string][] {
  const address = encodeAddress(keyOf(seed, account).publicKey);
  const index: [string, string] = ['Account index', `${account}`];
  if (kind === 'key') return [...(details || account >= 1000 ? [index] : []), ['Address', address]];
  if (kind === 'message')
    return [
      ['Account', address],
      ['Message', what],
    ];
  const { expect, tx, linked } = CASES[what]!;
  const [, type, ...rest] = expect.review;
  const network = NETWORKS.get(genesis) ?? `UNKNOWN CHAIN ${genesis.slice(0, 8)}`;
  if (!details) return [['Network', network], type!, ...rest];
  const sender: [string, string][] = [
    index,
    ['From', address],
    ['Timestamp', timeOf(Buffer.from(tx, 'hex'))],
  ];
  const chain: [string, string][] = NETWORKS.has(genesis) ? [] : [['Chain hash', genesis]];
  if (type![1] === 'Send ZBC') addTotal(rest);
  const last = linked === undefined ? [] : [...linkedDetails(Buffer.from(linked, 'hex')), rest.pop()!];
  return [['Network', network], ...chain, type!, ...sender, ...rest, ...last];
}

function timeOf(transaction: Buffer): string {
  const time = new Date(Number(transaction.readBigUInt64LE(5)) * 1000).toISOString();
  return time.replace('T', ' ').replace('.000Z', ' UTC');
}

function coinsOf(atoms: bigint): string {
  const digits = `${atoms}`.padStart(9, '0');
  return `${`${digits.slice(0, -8)}.${digits.slice(-8)}`.replace(/\.?0+$/, '')} ZBC`;
}

/** What leaves with an escrow, from the amounts that are shown. */
function addTotal(items: [string, string][]): void {
  const at = items.findIndex(([title]) => title === 'Escrow commission');
  if (at < 0) return;
  const atoms = ['Amount', 'Fee', 'Escrow commission'].map(title => {
    const [, value] = items.find(([each]) => each === title)!;
    const [whole, fraction = ''] = value.replace(' ZBC', '').split('.');
    return BigInt(whole + fraction.padEnd(8, '0'));
  });
  const total = coinsOf(atoms.reduce((a, b) => a + b));
  items.splice(at + 1, 0, ['Total with commission', total]);
}

/** Its recipient is an ordinary account, so the fee begins at byte 85. */
function linkedDetails(linked: Buffer): [string, string][] {
  return [
    ['Escrow timestamp', timeOf(linked)],
    ['Escrow fee', coinsOf(linked.readBigUInt64LE(85))],
    ['Escrow transaction', sha3(linked).toString('hex')],
  ];
}

const ACTIONS = { key: '', transaction: ' transaction', message: ' message' };
const cache = new Map<string, (ExpectedPage | string[])[]>();

/** The pages of a review, with the two that decide. */
function reviewPages(review: Review): (ExpectedPage | string[])[] {
  const { page: _, ...rest } = review;
  const key = JSON.stringify(rest);
  let pages = cache.get(key);
  if (!pages) {
    const verb = review.kind === 'key' ? 'Approve' : 'Sign';
    const action = ACTIONS[review.kind];
    const items = itemsOf(review).flatMap(([title, value]) => pagesOf(title, value));
    pages = [
      ...items,
      [`${verb}${action}`, 'approve: press both'],
      [`Reject${action}`, 'press both to reject'],
    ];
    cache.set(key, pages);
  }
  return pages;
}

function keyReply(seed: SeedName, account: number): string {
  const { publicKey } = keyOf(seed, account);
  return `${hex(publicKey, Buffer.from(encodeAddress(publicKey)))}9000`;
}

const replies = new Map<string, string>();

function approvalOf(review: Review): string {
  const { kind, account, seed, genesis, what } = review;
  const key = `${kind}${account}${seed}${genesis}${what}`;
  let reply = replies.get(key);
  if (reply === undefined) {
    if (kind === 'key') reply = keyReply(seed, account);
    else if (kind === 'message') reply = `${hex(signatureOf(seed, account, Buffer.from(what)))}9000`;
    else {
      const tx = Buffer.from(CASES[what]!.tx, 'hex');
      const digest = sha3(Buffer.from('ZBC-TX'), Buffer.from(genesis, 'hex'), tx);
      const signature = signatureOf(seed, account, digest);
      reply = `${hex(signature, sha3(tx, signature))}9000`;
    }
    replies.set(key, reply);
  }
  return reply;
}

function versionReply({ refuses, seed }: Model): string {
  const flags = (refuses ? 1 : 0) | (seed === 'none' ? 2 : 0);
  const types = '03010000000400000'.concat('00b000000');
  return `010100000${flags}000800000001000000020000${types}9000`;
}

const NAME_REPLY = `010a${hex(Buffer.from('ZBC Signer'))}05${hex(Buffer.from('1.0.0'))}01009000`;

function answerKey(model: Model, confirm: boolean, data: Buffer): Expected {
  if (data.length !== 4) return { model, reply: '6700' };
  const account = data.readUInt32LE();
  if (account >= 2 ** 31) return { model, reply: '6a80' };
  const { seed, details } = model;
  if (seed === 'none') return { model, reply: '5515' };
  if (!confirm) return { model, reply: keyReply(seed, account) };
  return open(model, { kind: 'key', account, seed, genesis: '', what: '', details, page: 0 });
}

function open(model: Model, review: Review): Expected {
  return { model: { ...model, review }, reply: '', shown: reviewPages(review)[0]! };
}

function answerTransactionHeader(model: Model, data: Buffer): Expected {
  const answered = (reply: string) => ({ model, reply });
  if (data.length !== 44 && data.length < 46) return answered(refusal(MALFORMED, 1, 0));
  const [account, length, linked] = [0, 36, 40].map(at => data.readUInt32LE(at)) as [number, number, number];
  if (account >= 2 ** 31) return answered(refusal(MALFORMED, 2, 0));
  if (length === 0) return answered(refusal(MALFORMED, 3, 36));
  if (length > 2048) return answered(refusal(TOO_LARGE, 4, 36));
  if (linked > 2112) return answered(refusal(TOO_LARGE, 5, 40));
  const tail = data.subarray(44);
  if (tail.length > 0 && tail[0]! > 8 && tail[0] !== 255) return answered(refusal(MALFORMED, 6, 44));
  if (tail.length > 0 && tail[1] !== tail.length - 2) return answered(refusal(MALFORMED, 1, 45));
  const genesis = data.toString('hex', 4, 36);
  if (model.refuses && !NETWORKS.has(genesis)) return answered(UNKNOWN_CHAIN);
  if (model.seed === 'none') return answered('5515');
  const upload: Upload = { ins: 6, account, genesis, length, linked, tail: tail.toString('hex'), bytes: '' };
  return { model: { ...model, upload }, reply: '9000' };
}

function answerMessageHeader(model: Model, data: Buffer): Expected {
  if (data.length !== 8) return { model, reply: refusal(MALFORMED, 1, 0) };
  const length = data.readUInt32LE(4);
  if (length > 2048) return { model, reply: refusal(TOO_LARGE, 28, 4) };
  if (length === 0 || length === 32) return { model, reply: refusal(MALFORMED, 36, 4) };
  if (model.seed === 'none') return { model, reply: '5515' };
  const upload: Upload = { ins: 7, account: 0, genesis: '', length, linked: 0, tail: '', bytes: '' };
  return { model: { ...model, upload }, reply: '9000' };
}

function complete(model: Model, upload: Upload, bytes: Buffer): Expected {
  const { seed, refuses, details } = model;
  const { account, genesis } = upload;
  if (upload.ins === 7) {
    const wrong = bytes.findIndex(byte => byte !== LETTER);
    if (wrong >= 0) return { model, reply: refusal(MALFORMED, 37, wrong) };
    if (seed === 'none') return { model, reply: '5515' };
    return open(model, {
      kind: 'message',
      account,
      seed,
      genesis,
      what: bytes.toString('latin1'),
      details,
      page: 0,
    });
  }
  if (refuses && !NETWORKS.has(genesis)) return { model, reply: UNKNOWN_CHAIN };
  if (seed === 'none') return { model, reply: '5515' };
  const what = Object.keys(CASES).find(
    name => uploadBytes(CASES[name]!).equals(bytes) && CASES[name]!.tx.length / 2 === upload.length,
  );
  if (what === undefined) return { model, reply: 'refused' };
  if (upload.tail !== '' && !CASES[what]!.token) return { model, reply: refusal(MALFORMED, 8, 44) };
  if (seed !== 'A' || account !== CASES[what]!.account)
    return { model, reply: refusal(SENDER_MISMATCH, 16, 13, 4) };
  return open(model, { kind: 'transaction', account, seed, genesis, what, details, page: 0 });
}

function answerChunk(model: Model, ins: number, data: Buffer): Expected {
  const { upload, ...rest } = model;
  if (upload?.ins !== ins) return { model: rest, reply: '6902' };
  if (data.length === 0) return { model: rest, reply: '6700' };
  const bytes = Buffer.concat([Buffer.from(upload.bytes, 'hex'), data]);
  const declared = upload.length + upload.linked;
  if (bytes.length > declared) return { model: rest, reply: refusal(MALFORMED, 9, ins === 6 ? 36 : 4) };
  if (bytes.length === declared) return complete(rest, upload, bytes);
  return { model: { ...rest, upload: { ...upload, bytes: bytes.toString('hex') } }, reply: '9000' };
}

function answer(model: Model, command: Buffer): Expected {
  if (model.review) return { model, reply: '6901' };
  const { upload: _, ...dropped } = model;
  const [cla, ins = 0, p1 = 0, p2, lc] = command;
  if (command.length < 5 || lc !== command.length - 5) return { model: dropped, reply: '6700' };
  if (cla !== 0xe0 && cla !== 0xb0) return { model: dropped, reply: '6e00' };
  const known = cla === 0xb0 ? [1] : [3, 5, 6, 7];
  if (!known.includes(ins)) return { model: dropped, reply: '6d00' };
  if (p2 !== 0 || p1 > (ins >= 5 ? 1 : 0)) return { model: dropped, reply: '6a86' };
  const data = command.subarray(5);
  if (ins <= 3 && data.length > 0) return { model: dropped, reply: '6700' };
  if (ins === 1) return { model: dropped, reply: NAME_REPLY };
  if (ins === 3) return { model: dropped, reply: versionReply(model) };
  if (ins === 5) return answerKey(dropped, p1 === 1, data);
  if (p1 === 1) return answerChunk(model, ins, data);
  return ins === 6 ? answerTransactionHeader(dropped, data) : answerMessageHeader(dropped, data);
}

function press(model: Model, button: number): Expected {
  const { review } = model;
  if (!review) return pressInMenu(model, button);
  const pages = reviewPages(review);
  const [approve, reject] = [pages.length - 2, pages.length - 1];
  if (button === 3 && review.page >= approve) {
    const { review: _, ...rest } = model;
    const closed = { ...rest, menu: 0 };
    const rejected = review.page === reject;
    const reply = rejected ? USER_REJECTED : model.seed === review.seed ? approvalOf(review) : '5515';
    return { model: closed, reply, shown: menuOf(closed) };
  }
  const step = button === 2 ? 1 : button === 1 ? -1 : 0;
  const page = Math.min(Math.max(review.page + step, 0), reject);
  return { model: { ...model, review: { ...review, page } }, reply: '', shown: pages[page]! };
}

function pressInMenu(model: Model, button: number): Expected {
  const { menu } = model;
  const moved = { ...model };
  if (button === 3 && (menu === 3 || menu === 4)) delete moved.reset;
  if (button === 2 && menu % 3 < 2) moved.menu++;
  if (button === 1 && menu % 3 > 0) moved.menu--;
  if (button === 3 && menu === 1) moved.menu = 3;
  if (button === 3 && menu === 5) moved.menu = 0;
  if (button === 3 && menu === 3) moved.refuses = !moved.refuses;
  if (button === 3 && menu === 4) moved.details = !moved.details;
  return { model: moved, reply: '', shown: menuOf(moved) };
}

function cancel({ upload: _, review, ...rest }: Model): Expected {
  const model = review ? { ...rest, menu: 0 } : rest;
  return { model, reply: '', ...(review && { shown: menuOf(model) }) };
}

/** What is stored and the seed outlive a restart, all else is gone. */
function restart({ seed, refuses, details, reset }: Model, torn: boolean): Expected {
  const model: Model = torn
    ? { ...START, seed, reset: true }
    : { seed, menu: 0, refuses, details, ...(reset && { reset }) };
  return { model, reply: '', shown: menuOf(model) };
}

/** The one right outcome of an event. */
export function step(model: Model, event: Event): Expected {
  if (event.kind === 'command') return answer(model, Buffer.from(commandNamed(event.name)));
  if (event.kind === 'button') return press(model, event.button);
  if (event.kind === 'cancel') return cancel(model);
  if (event.kind === 'restart') return restart(model, event.torn);
  return { model: { ...model, seed: event.seed }, reply: '' };
}
