// The required behaviour of the signer (docs/SPECIFICATION.md, docs/TRANSACTION.md): states, and the step
// from one state to the next; independent of the firmware.
import { encodeAddress } from '@zbc-signer/chain';
import { codesOf, DECISIONS, MENU, REFUSALS, statusNamed } from '../../testkit/repository/specification.js';
import { NETWORKS } from '../read-back/check.js';
import {
  CASES,
  commandNamed,
  keyOf,
  noncePointOf,
  proofOf,
  revealedOf,
  type SeedName,
  sha3,
  signatureOf,
  uploadBytes,
} from './alphabet.js';
import { type ExpectedPage, pagesOf } from './pages.js';

interface Upload {
  ins: 6 | 7;
  /** Whether its header came from elsewhere. */
  elsewhere: boolean;
  account: number;
  genesis: string;
  /** Length of the transaction or message, and of its linked bytes. */
  length: number;
  linked: number;
  tail: string;
  /** Name and proof of the recipient's contact, if the header has it. */
  contact: string;
  /** The commitment of the header; may be empty. */
  commitment: string;
  bytes: string;
}

interface Review {
  kind: 'key' | 'transaction' | 'message' | 'contact';
  account: number;
  /** The seed at the time when the review was opened. */
  seed: SeedName;
  genesis: string;
  /** The name of the transaction, the message, or the contact in hex. */
  what: string;
  /** The shown name of the recipient's contact. */
  contact?: string;
  /** The commitment of the header; may be empty. */
  commitment: string;
  details: boolean;
  page: number;
}

/** Approved bytes that wait for REVEAL. */
type Approved = Pick<Review, 'kind' | 'account' | 'seed' | 'genesis' | 'what' | 'commitment'>;

export interface Model {
  seed: SeedName | 'none';
  /** The page of the menu. */
  menu: string;
  refuses: boolean;
  details: boolean;
  contactsOnly: boolean;
  /** Set if the stored settings were partly written and no setting has been changed since. */
  reset?: true;
  upload?: Upload;
  review?: Review;
  approved?: Approved;
}

export type Event =
  | { kind: 'command'; name: string; elsewhere: boolean }
  | { kind: 'button'; button: number }
  | { kind: 'cancel' }
  | { kind: 'resume' }
  | { kind: 'restart'; torn: boolean }
  | { kind: 'seed'; seed: SeedName | 'none' };

export interface Expected {
  model: Model;
  /** The reply in hex; `refused` stands for any refusal of a transaction. */
  reply: string;
  /** Set if the module must draw the model's page. */
  isShown?: true;
}

const HOME = [...MENU.keys()][0]!;

export const START: Model = { seed: 'A', menu: HOME, refuses: false, details: false, contactsOnly: false };

const hex = (...parts: Uint8Array[]) => Buffer.concat(parts).toString('hex');

/** Whether a page of the menu shows the second of its alternative lines. */
const LINES: Record<string, (model: Model) => boolean | undefined> = {
  'ZBC Signer': ({ seed }) => seed === 'none',
  Settings: ({ reset }) => reset,
  'Unknown chains': ({ refuses }) => refuses,
  Details: ({ details }) => details,
  'Contacts only': ({ contactsOnly }) => contactsOnly,
};

function menuOf(model: Model): string[] {
  const line = MENU.get(model.menu)!.lines[LINES[model.menu]?.(model) ? 1 : 0]!;
  return line === '' ? [model.menu] : [model.menu, line];
}

function itemsOf({ kind, account, seed, genesis, what, contact, details }: Review): [string, string][] {
  const address = encodeAddress(keyOf(seed, account).publicKey);
  const index: [string, string] = ['Account index', `${account}`];
  if (kind === 'key') return [...(details || account >= 1000 ? [index] : []), ['Address', address]];
  if (kind === 'message')
    return [
      ['Account', address],
      ['Message', what],
    ];
  const network = NETWORKS.get(genesis) ?? `UNKNOWN CHAIN ${genesis.slice(0, 8)}`;
  const chain: [string, string][] = NETWORKS.has(genesis) || !details ? [] : [['Chain hash', genesis]];
  if (kind === 'contact') {
    const bytes = Buffer.from(what, 'hex');
    // All contacts of the alphabet are of ordinary accounts.
    return [
      ['New contact', nameIn(bytes)],
      ['Network', network],
      ...chain,
      ['Address', encodeAddress(bytes.subarray(60))],
    ];
  }
  const { expect, tx, linked } = CASES[what]!;
  const [, type, ...rest] = expect.review;
  const at = rest.findIndex(([title]) => title === 'Recipient');
  if (contact !== undefined) rest.splice(at, 0, ['Recipient contact', contact]);
  if (!details) return [['Network', network], type!, ...rest];
  const sender: [string, string][] = [
    index,
    ['From', address],
    ['Timestamp', timeOf(Buffer.from(tx, 'hex'))],
  ];
  if (type![1] === 'Send ZBC') addTotal(rest);
  if (linked !== undefined) addLinkedDetails(rest, Buffer.from(linked, 'hex'));
  return [['Network', network], ...chain, type!, ...sender, ...rest];
}

const nameIn = (contact: Buffer) => contact.toString('latin1', 32, 56).replace(/\0+$/, '');

function timeOf(transaction: Buffer): string {
  const time = new Date(Number(transaction.readBigUInt64LE(5)) * 1000).toISOString();
  return time.replace('T', ' ').replace('.000Z', ' UTC');
}

function coinsOf(atoms: bigint): string {
  const digits = `${atoms}`.padStart(9, '0');
  return `${`${digits.slice(0, -8)}.${digits.slice(-8)}`.replace(/\.?0+$/, '')} ZBC`;
}

/** Adds the total of a transaction with an escrow, computed from the shown amounts. */
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

/** The recipient is an ordinary account, so the fee begins at byte 85. */
function addLinkedDetails(items: [string, string][], linked: Buffer): void {
  const at = items.findIndex(([title]) => title === 'Escrow decision');
  const [decision, type] = items.slice(at, at + 2);
  items.splice(
    at,
    2,
    decision!,
    ['Escrow transaction', sha3(linked).toString('hex')],
    type!,
    ['Escrow timestamp', timeOf(linked)],
    ['Escrow fee', coinsOf(linked.readBigUInt64LE(85))],
  );
}

const COMMANDS = {
  key: 'GET_PUBLIC_KEY',
  transaction: 'SIGN_TX',
  message: 'SIGN_MESSAGE',
  contact: 'REGISTER_CONTACT',
};
const cache = new Map<string, (ExpectedPage | readonly string[])[]>();

/** Returns the pages of a review, including the two deciding ones. */
function reviewPages(review: Review): (ExpectedPage | readonly string[])[] {
  const { page: _, ...rest } = review;
  const key = JSON.stringify(rest);
  let pages = cache.get(key);
  if (!pages) {
    const items = itemsOf(review).flatMap(([title, value]) => pagesOf(title, value));
    pages = [...items, ...DECISIONS.get(COMMANDS[review.kind])!];
    cache.set(key, pages);
  }
  return pages;
}

function keyReply(seed: SeedName, account: number): string {
  const { publicKey } = keyOf(seed, account);
  return `${hex(publicKey, Buffer.from(encodeAddress(publicKey)))}9000`;
}

const replies = new Map<string, string>();

/** Returns the reply to an approval, or with revealed bytes to REVEAL. */
function approvalOf(approved: Approved, revealed?: Buffer): string {
  const { kind, account, seed, genesis, what, commitment } = approved;
  const key = `${kind}${account}${seed}${genesis}${what}${commitment}${revealed?.toString('hex')}`;
  let reply = replies.get(key);
  if (reply === undefined) {
    reply = kind === 'key' ? keyReply(seed, account) : `${hex(dataOf(approved, revealed))}9000`;
    replies.set(key, reply);
  }
  return reply;
}

function dataOf({ kind, account, seed, genesis, what, commitment }: Approved, revealed?: Buffer): Buffer {
  if (kind === 'contact') return proofOf(seed, Buffer.from(what, 'hex'));
  const tx = kind === 'transaction' ? Buffer.from(CASES[what]!.tx, 'hex') : undefined;
  const message = tx ? sha3(Buffer.from('ZBC-TX'), Buffer.from(genesis, 'hex'), tx) : Buffer.from(what);
  if (commitment !== '' && !revealed)
    return noncePointOf(seed, account, Buffer.from(commitment, 'hex'), message);
  const signature = revealed
    ? revealedOf(seed, account, message, revealed)
    : signatureOf(seed, account, message);
  return tx ? Buffer.concat([signature, sha3(tx, signature)]) : signature;
}

function versionReply({ refuses, seed, contactsOnly }: Model): string {
  const flags = (refuses ? 1 : 0) | (seed === 'none' ? 2 : 0) | (contactsOnly ? 4 : 0);
  const types = '03010000000400000'.concat('00b000000');
  return `010100000${flags}000800000001000000020000${types}9000`;
}

const NAME_REPLY = `010a${hex(Buffer.from('ZBC Signer'))}05${hex(Buffer.from('1.0.0'))}01009000`;

function open(
  model: Model,
  review: Omit<Review, 'commitment' | 'details' | 'page'>,
  commitment = '',
): Expected {
  return {
    model: { ...model, review: { ...review, commitment, details: model.details, page: 0 } },
    reply: '',
    isShown: true,
  };
}

interface Question {
  model: Model;
  command: Buffer;
  data: Buffer;
}

const NAMES: Record<string, string> = {
  b001: 'GET_APP_NAME',
  e003: 'GET_APP_VERSION',
  e005: 'GET_PUBLIC_KEY',
  e006: 'SIGN_TX',
  e007: 'SIGN_MESSAGE',
  e008: 'REGISTER_CONTACT',
};

function nameOfCommand(command: Buffer): string {
  const name = NAMES[command.toString('hex', 0, 2)]!;
  return name.startsWith('SIGN') ? `${name} ${['header', 'chunk', 'REVEAL'][command[2]!]}` : name;
}

/** Returns the row of docs/SPECIFICATION.md#states for a command. */
export function kindOfCommand(bytes: Uint8Array): string {
  const isFramed = bytes.length >= 5 && bytes[4] === bytes.length - 5;
  const upload = isFramed && bytes[0] === 0xe0 && (bytes[1] === 6 || bytes[1] === 7) && hasOptions(bytes);
  return (upload && ['header', 'chunk', 'REVEAL'][bytes[2]!]) || 'other command';
}

/** Returns whether P2 has only bits that the command may have. */
function hasOptions([, ins, p1, p2 = 0]: Uint8Array): boolean {
  const options = p1 !== 0 ? 0 : ins === 6 ? 7 : ins === 7 ? 4 : 0;
  return (p2 & ~options) === 0;
}

/** Returns whether a command ends the upload of another link or channel. */
const takesOver = (bytes: Uint8Array): boolean =>
  kindOfCommand(bytes) === 'header' ||
  (bytes.length >= 5 &&
    bytes[4] === bytes.length - 5 &&
    [0xe0050100, 0xe0080000].includes(Buffer.from(bytes).readUInt32BE()));

/** Returns whether a command must not change the upload, because it came over another link or channel. */
export function isAside({ upload }: Model, bytes: Uint8Array, elsewhere: boolean): boolean {
  return elsewhere !== (upload?.elsewhere ?? false) && !takesOver(bytes);
}

const declaredOf = ({ length, linked }: Upload) => length + linked;
const accountOf = ({ data }: Question) => data.readUInt32LE();
const genesisOf = ({ model, data, command }: Question) => {
  if (command[1] === 8) return data.toString('hex', 0, 32);
  return command[2] === 0 ? data.toString('hex', 4, 36) : model.upload!.genesis;
};
/** Where the token tail of a header begins. */
const tailAt = ({ command }: Question) => 44 + (command[3]! & 1 ? 56 : 0) + (command[3]! & 4 ? 32 : 0);
const isName = (name: string) => /^(?!zbc_)(?! )(?!.* {2})[ -~]{1,24}(?<! )\0*$/i.test(name);

const tailOf = (question: Question) => question.data.subarray(tailAt(question));

/**
 * Conditions of the refusals in docs/SPECIFICATION.md#refusals. If a condition holds at an offset, it returns
 * this offset.
 */
const CHECKS: Record<string, (question: Question) => boolean | number> = {
  'a review is open': ({ model }) => model.review !== undefined,
  'fewer than 5 bytes, or `Lc` is not the number of bytes after it': ({ command }) =>
    command.length < 5 || command[4] !== command.length - 5,
  'CLA is not `e0`, and the command is not GET_APP_NAME': ({ command }) =>
    command[0] !== 0xe0 && (command[0] !== 0xb0 || command[1] !== 1),
  'INS is not 03 and not 05 to 08, and the command is not GET_APP_NAME': ({ command }) =>
    command[0] === 0xe0 && ![3, 5, 6, 7, 8].includes(command[1]!),
  'the command does not allow this P1 or P2': ({ command }) =>
    !hasOptions(command) || command[2]! > ({ 5: 1, 6: 2, 7: 2, 8: 1 }[command[1]!] ?? 0),
  'there is data': ({ data }) => data.length > 0,
  'the data is not 4 bytes': ({ data }) => data.length !== 4,
  'the data is not 8 bytes, with a commitment 40': ({ command, data }) =>
    data.length !== (command[3] === 4 ? 40 : 8),
  'the data is shorter than 60 bytes': ({ data }) => data.length < 60,
  'the name breaks a [rule](APDU.md#names)': ({ data }) => !isName(data.toString('latin1', 32, 56)),
  'the kind is 2 or unknown': ({ data }) => data.readUInt32LE(56) !== 0,
  'the length is not 60 + n, for a check 60 + n + 32': ({ command, data }) =>
    data.length !== (command[2] === 1 ? 124 : 92),
  'the proof is wrong': ({ model, data }) =>
    !proofOf(model.seed as SeedName, data.subarray(0, 92)).equals(data.subarray(92)) && 92,
  'the name of a contact breaks a rule, that of the recipient first': ({ command, data }) =>
    command[3] === 1 && !isName(data.toString('latin1', 44, 68)) && 44,
  'the data is neither F bytes nor F + 2 or more, F = 44 + 56 for each contact + 32 for a commitment':
    question => question.data.length !== tailAt(question) && question.data.length < tailAt(question) + 2,
  'the account is 2^31 or more': question => accountOf(question) >= 2 ** 31,
  'there is no seed': ({ model }) => model.seed === 'none',
  'the transaction length is 0': ({ data }) => data.readUInt32LE(36) === 0,
  'the transaction length is above 2048': ({ data }) => data.readUInt32LE(36) > 2048,
  'the length of the linked transaction and its signature is above 2112': ({ data }) =>
    data.readUInt32LE(40) > 2112,
  'the decimals are neither 0 to 8 nor `ff`': question => {
    const [decimals] = tailOf(question);
    return decimals !== undefined && decimals > 8 && decimals !== 255 && tailAt(question);
  },
  'the symbol length is above 12': question => tailOf(question)[1]! > 12 && tailAt(question) + 1,
  'the symbol length is not the number of bytes after it': question => {
    const tail = tailOf(question);
    return tail.length > 0 && tail[1] !== tail.length - 2 && tailAt(question) + 1;
  },
  'the symbol has a character outside 21 to 7e': question => {
    const at = tailOf(question)
      .subarray(2)
      .findIndex(byte => byte < 0x21 || byte > 0x7e);
    return at >= 0 && tailAt(question) + 2 + at;
  },
  'the chain is unknown, and `Unknown chains` is `refused`': question =>
    question.model.refuses && !NETWORKS.has(genesisOf(question)),
  'the message length is above 2048': ({ data }) => data.readUInt32LE(4) > 2048,
  'the message length is 0 or 32': ({ data }) => [0, 32].includes(data.readUInt32LE(4)),
  'no header of this command precedes the chunk on its link and channel': ({ model, command }) =>
    model.upload?.ins !== command[1],
  'the chunk is empty': ({ data }) => data.length === 0,
  'more bytes in all than the header declared': ({ model: { upload }, data }) =>
    upload!.bytes.length / 2 + data.length > declaredOf(upload!),
  'there is a token tail, and the type is not TransferToken': ({ model, data }) =>
    model.upload!.tail !== '' &&
    model.upload!.length >= 4 &&
    data.readUInt32LE() !== 11 &&
    44 + (model.upload!.contact + model.upload!.commitment).length / 2,
  'no approval of this instruction waits for REVEAL on its link and channel': ({ model, command }) =>
    insOf(model.approved) !== command[1],
  'the data is not 32 bytes': ({ data }) => data.length !== 32,
  'there is no seed, or another than when the review opened': ({ model }) =>
    model.seed !== model.approved!.seed,
  'the data is not that of the commitment': ({ model, data }) =>
    sha3(data).toString('hex') !== model.approved!.commitment,
  'a byte is not text': ({ data }) => {
    const at = data.findIndex(byte => byte !== 10 && (byte < 0x20 || byte > 0x7e));
    return at >= 0 && at;
  },
};

const insOf = (approved?: Approved) => approved && (approved.kind === 'transaction' ? 6 : 7);

/** Returns the reply that the first applicable row of the refusals requires; undefined if no row applies. */
function refusalOf(command: string, question: Question): string | undefined {
  for (const { commands, when, status, reason, offset } of REFUSALS) {
    const isMeant =
      commands.includes(command) ||
      (command === 'REGISTER_CONTACT' && question.command[2] === 1 && commands.includes(`${command} check`));
    if (!isMeant) continue;
    const found = CHECKS[when]!(question);
    if (found === false) continue;
    return reason === undefined ? status : refusal(status, reason, found === true ? Number(offset) : found);
  }
  return undefined;
}

/** Returns the reply of a refusal with its detail (docs/APDU.md#refusal-details). */
function refusal(status: string, reason: number, offset: number, field = 0): string {
  return hex(Buffer.of(field, offset & 0xff, offset >> 8, reason)) + status;
}

function answer(model: Model, command: Buffer, elsewhere: boolean): Expected {
  if ((model.upload || model.approved) && isAside(model, command, elsewhere)) {
    const { upload: _, approved: __, ...others } = model;
    return { ...answer(others, command, elsewhere), model };
  }
  const question = { model, command, data: command.subarray(5) };
  const refused = refusalOf('any', question) ?? refusalOf(nameOfCommand(command), question);
  const { upload, approved, ...dropped } = model;
  if (refused !== undefined) return { model: model.review ? model : dropped, reply: refused };
  switch (nameOfCommand(command)) {
    case 'GET_APP_NAME':
      return { model: dropped, reply: NAME_REPLY };
    case 'GET_APP_VERSION':
      return { model: dropped, reply: versionReply(model) };
    case 'GET_PUBLIC_KEY':
      return answerKey(dropped, question);
    case 'REGISTER_CONTACT':
      return answerContact(dropped, question);
    case 'SIGN_TX header':
    case 'SIGN_MESSAGE header':
      return { model: { ...dropped, upload: { ...uploadOf(question), elsewhere } }, reply: '9000' };
    case 'SIGN_TX REVEAL':
    case 'SIGN_MESSAGE REVEAL':
      return { model: dropped, reply: approvalOf(approved!, question.data) };
    default:
      return answerChunk(dropped, upload!, question);
  }
}

function answerKey(model: Model, question: Question): Expected {
  const seed = model.seed as SeedName;
  const account = accountOf(question);
  if (question.command[2] === 0) return { model, reply: keyReply(seed, account) };
  return open(model, { kind: 'key', account, seed, genesis: '', what: '' });
}

function answerContact(model: Model, { command, data }: Question): Expected {
  if (command[2] === 1) return { model, reply: '9000' };
  const [genesis, what] = [data.toString('hex', 0, 32), data.toString('hex')];
  return open(model, { kind: 'contact', account: 0, seed: model.seed as SeedName, genesis, what });
}

function uploadOf(question: Question): Omit<Upload, 'elsewhere'> {
  const { data, command } = question;
  const account = accountOf(question);
  if (command[1] === 7)
    return {
      ins: 7,
      account,
      genesis: '',
      length: data.readUInt32LE(4),
      linked: 0,
      tail: '',
      contact: '',
      commitment: data.toString('hex', 8),
      bytes: '',
    };
  const [length, linked] = [data.readUInt32LE(36), data.readUInt32LE(40)];
  const tail = data.toString('hex', tailAt(question));
  const contactEnd = command[3]! & 1 ? 100 : 44;
  const contact = data.toString('hex', 44, contactEnd);
  const commitment = data.toString('hex', contactEnd, tailAt(question));
  return {
    ins: 6,
    account,
    genesis: genesisOf(question),
    length,
    linked,
    tail,
    contact,
    commitment,
    bytes: '',
  };
}

function answerChunk(model: Model, upload: Upload, { command, data }: Question): Expected {
  const bytes = Buffer.concat([Buffer.from(upload.bytes, 'hex'), data]);
  if (bytes.length < declaredOf(upload))
    return { model: { ...model, upload: { ...upload, bytes: bytes.toString('hex') } }, reply: '9000' };
  const name = `${NAMES[`e00${upload.ins}`]}, all bytes`;
  const refused = refusalOf(name, { model: { ...model, upload }, command, data: bytes });
  if (refused !== undefined) return { model, reply: refused };
  const { account, genesis, commitment } = upload;
  const seed = model.seed as SeedName;
  if (upload.ins === 7)
    return open(
      model,
      { kind: 'message', account, seed, genesis, what: bytes.toString('latin1') },
      commitment,
    );
  const what = Object.keys(CASES).find(
    name => uploadBytes(CASES[name]!).equals(bytes) && CASES[name]!.tx.length / 2 === upload.length,
  );
  if (what === undefined) return { model, reply: 'refused' };
  if (seed !== 'A' || account !== CASES[what]!.account) return { model, reply: refusal('b101', 16, 13, 4) };
  const tx = Buffer.from(CASES[what]!.tx, 'hex');
  const recipient = tx.subarray(49, 85);
  if (upload.contact === '') {
    const isOwn = recipient.subarray(4).equals(keyOf(seed, account).publicKey);
    // No transfer of the alphabet has the escrow of an approver who is not its sender.
    if (model.contactsOnly && tx[0] !== 4 && !isOwn) return { model, reply: refusal('6985', 42, 49, 5) };
    return open(model, { kind: 'transaction', account, seed, genesis, what }, commitment);
  }
  const padded = Buffer.from(upload.contact, 'hex').subarray(0, 24);
  const proof = proofOf(seed, Buffer.concat([Buffer.from(genesis, 'hex'), padded, recipient]));
  if (!upload.contact.endsWith(hex(proof))) return { model, reply: refusal('6a80', 40, 49, 5) };
  const contact = padded.toString('latin1').replace(/\0+$/, '');
  return open(model, { kind: 'transaction', account, seed, genesis, what, contact });
}

/** Returns the page that must be on the screen. */
export const pageOf = (model: Model): ExpectedPage | readonly string[] =>
  model.review ? reviewPages(model.review)[model.review.page]! : menuOf(model);

/** Returns the name of the state in docs/SPECIFICATION.md#states. */
export function stateOf({ upload, review, approved }: Model): string {
  if (approved) return 'reveal';
  if (!review) return upload ? 'upload' : 'menu';
  return ['reject', 'approve'][reviewPages(review).length - 1 - review.page] ?? 'item';
}

function press(model: Model, button: number): Expected {
  const { review, ...rest } = model;
  if (!review) return pressInMenu(model, button);
  const state = stateOf(model);
  if (button === 3 && state !== 'item') {
    const reply =
      state === 'reject'
        ? statusNamed('USER_REJECTED')
        : model.seed === review.seed
          ? approvalOf(review)
          : statusNamed('LOCKED');
    const { kind, account, seed, genesis, what, commitment } = review;
    const isGiven = reply.length === 2 * 34 && commitment !== '';
    const approved = { kind, account, seed, genesis, what, commitment };
    return { model: { ...rest, menu: HOME, ...(isGiven && { approved }) }, reply, isShown: true };
  }
  const step = button === 2 ? 1 : button === 1 ? -1 : 0;
  const page = Math.min(Math.max(review.page + step, 0), reviewPages(review).length - 1);
  return { model: { ...model, review: { ...review, page } }, reply: '', isShown: true };
}

/** Pages that exist only with a loader or a keystore. */
const ABSENT = ['Security counter', 'Quit'];

function pressInMenu(model: Model, button: number): Expected {
  const { left, right, both } = MENU.get(model.menu)!;
  const cell = [left, right, both][button - 1] ?? '';
  const moved = { ...model, menu: codesOf(cell).find(page => !ABSENT.includes(page)) ?? model.menu };
  if (cell === 'toggles') {
    delete moved.reset;
    if (model.menu === 'Details') moved.details = !moved.details;
    else if (model.menu === 'Contacts only') moved.contactsOnly = !moved.contactsOnly;
    else moved.refuses = !moved.refuses;
  }
  return { model: moved, reply: '', isShown: true };
}

function cancel({ upload: _, approved: __, review, ...rest }: Model): Expected {
  return review ? { model: { ...rest, menu: HOME }, reply: '', isShown: true } : { model: rest, reply: '' };
}

function resume({ upload: _, review: __, approved: ___, ...rest }: Model): Expected {
  return { model: { ...rest, menu: HOME }, reply: '', isShown: true };
}

/** Stored settings and the seed survive a restart; everything else is lost. */
function restart({ seed, refuses, details, contactsOnly, reset }: Model, torn: boolean): Expected {
  const model: Model = torn
    ? { ...START, seed, reset: true }
    : { seed, menu: HOME, refuses, details, contactsOnly, ...(reset && { reset }) };
  return { model, reply: '', isShown: true };
}

/** Returns the only correct outcome of an event. */
export function step(model: Model, event: Event): Expected {
  if (event.kind === 'command') return answer(model, Buffer.from(commandNamed(event.name)), event.elsewhere);
  if (event.kind === 'button') return press(model, event.button);
  if (event.kind === 'cancel') return cancel(model);
  if (event.kind === 'resume') return resume(model);
  if (event.kind === 'restart') return restart(model, event.torn);
  return { model: { ...model, seed: event.seed }, reply: '' };
}
