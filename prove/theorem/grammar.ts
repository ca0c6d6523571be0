// The grammar of a review: its titles and values, their order, and the origin of each value. It is derived
// from the table that `make prove ONLY=described` compares with the module, by trying each value of the
// table's conditions.
import { UnprovenClaim } from '../control.js';
import { type Fields, itemsOf, type Review } from '../described/items.js';
import { NETWORKS } from '../read-back/check.js';
import { ACCEPTED, FIELDS } from '../symbolic/layout.js';

type Table = typeof itemsOf;

/**
 * The forms of values, each with the proofs that a value determines its whole field; undefined if it does
 * not.
 */
export const FORMS: Readonly<Record<string, readonly string[] | undefined>> = {
  coins: ['amounts'],
  decimal: ['amounts'],
  signed: ['amounts'],
  time: ['amounts'],
  account: ['pages', 'described'],
  hash: ['pages'],
  text: ['described'],
  /** All digits of a binary value's hash. */
  digest: ['described', 'hashes'],
  binary: undefined,
  digits: undefined,
  sum: undefined,
  report: undefined,
  name: undefined,
};

/** An item: literal text, and forms of fields as `<form field>`. */
interface Entry {
  title: string;
  value: string;
  isInverse: boolean;
}

/** A kind of review: the choices made, and its items. */
export interface Shape {
  choice: ReadonlyMap<string, number>;
  items: readonly Entry[];
}

const [SEND, APPROVAL, TOKEN] = [1, 4, 11] as const;
const NONE = 0;
const TEXT = 1;
const BINARY = 2;
/**
 * A linked transaction always has an escrow and never decides one, and an approval has no escrow of its own.
 */
const LINKED: Readonly<Record<string, readonly number[]>> = { type: [SEND, TOKEN], hasEscrow: [1] };
const OF_APPROVAL: Readonly<Record<string, readonly number[]>> = { hasEscrow: [0] };

class Undecided extends Error {
  readonly key: string;
  readonly values: readonly number[];

  constructor(key: string, values: readonly number[]) {
    super(key);
    [this.key, this.values] = [key, values];
  }
}

type Decide = (key: string, values: readonly number[] | undefined) => number;

function fieldsOf(whose: 'own' | 'linked', decide: Decide): Fields {
  const form = (name: string) => (field: string) => `<${name} ${whose}.${field}>`;
  return {
    is: (field, value) => {
      const isApproval = field !== 'type' && decide('own.type', ACCEPTED.type) === APPROVAL;
      const special = whose === 'linked' ? LINKED : isApproval ? OF_APPROVAL : {};
      return decide(`${whose}.${field}`, special[field] ?? ACCEPTED[field]) === value;
    },
    coins: form('coins'),
    decimal: form('decimal'),
    signed: form('signed'),
    time: form('time'),
    account: form('account'),
    contact: field =>
      decide(`${whose}.contact of ${field}`, [0, 1]) === 1 ? form('name')(field) : undefined,
    hash: form('hash'),
    sum: (...of) => of.map(form('sum')).join(''),
    text: (field, hashTitle) => {
      const kind = decide(`${whose}.${field}`, [NONE, TEXT, BINARY]);
      if (kind === BINARY) return `${form('binary')(field)}\n${hashTitle}\n${form('digest')(field)}`;
      return kind === TEXT ? form('text')(field) : '';
    },
  };
}

function shapeOf(choice: ReadonlyMap<string, number>, isDetailed: boolean, table: Table): Shape {
  const decide: Decide = (key, values) => {
    const chosen = choice.get(key);
    if (chosen !== undefined) return chosen;
    if (!values) throw new UnprovenClaim(`the possible values of ${key} are unknown`);
    throw new Undecided(key, values);
  };
  const names = [...NETWORKS.values()];
  const network = decide('genesis', [...names.keys(), names.length]);
  const isToken = decide('own.type', ACCEPTED.type) === TOKEN;
  const review: Review = {
    own: fieldsOf('own', decide),
    linked: fieldsOf('linked', decide),
    network: names[network],
    genesis: bytes => (bytes === 32 ? '<hash genesis>' : '<digits genesis>'),
    accountIndex: '<decimal account>',
    isDetailed,
    report: decide('report', isToken ? [0, 1] : [0]) === 1 ? '<report token>' : undefined,
  };
  const items = table(review).flatMap(({ title, value }): Entry[] => {
    const [first = '', hashTitle, digest] = value.split('\n');
    const isInverse = hashTitle !== undefined;
    const whole = isInverse && isDetailed ? [{ title: hashTitle, value: digest!, isInverse: false }] : [];
    return first === '' ? [] : [{ title, value: first, isInverse }, ...whole];
  });
  return { choice, items };
}

/** Returns all kinds of reviews. */
export function shapesOf(isDetailed: boolean, table: Table = itemsOf): Shape[] {
  const explore = (choice: ReadonlyMap<string, number>): Shape[] => {
    try {
      return [shapeOf(choice, isDetailed, table)];
    } catch (error) {
      if (!(error instanceof Undecided)) throw error;
      return error.values.flatMap(value => explore(new Map([...choice, [error.key, value]])));
    }
  };
  return explore(new Map());
}

/**
 * Returns whether two items of these forms always differ: their titles differ, only one of them is inverse,
 * or their values begin with different literals.
 */
function isApart(a: Entry, b: Entry): boolean {
  if (a.title !== b.title || a.isInverse !== b.isInverse) return true;
  const [first, second] = [a, b].map(({ value }) => value.split('<')[0]!) as [string, string];
  const length = Math.min(first.length, second.length);
  if (first.slice(0, length) !== second.slice(0, length)) return true;
  const isWhole = ({ value }: Entry, prefix: string) => value === prefix && prefix.length === length;
  return first.length !== second.length && (isWhole(a, first) || isWhole(b, second));
}

/** Proves that no two kinds of reviews can have equal items, and that no kind has a title twice. */
export function proveUniqueParse(shapes: readonly Shape[]): void {
  for (const [i, { items }] of shapes.entries()) {
    const titles = items.map(({ title }) => title);
    const twice = titles.find((title, at) => titles.indexOf(title) !== at);
    if (twice !== undefined) throw new UnprovenClaim(`a review has two items with the title ${twice}`);
    for (const other of shapes.slice(i + 1)) {
      const isLike =
        items.length === other.items.length && !items.some((a, at) => isApart(a, other.items[at]!));
      if (isLike) throw new UnprovenClaim(`two kinds of reviews read alike: ${titles.join(', ')}`);
    }
  }
}

export const COMMON = ['type', 'timestamp', 'sender', 'recipient', 'fee', 'hasEscrow', 'message'];
/** Fields of bodies, each with its offset. */
export const BODIES: Readonly<Record<number, Readonly<Record<string, number>>>> = {
  [SEND]: { amount: 0 },
  [APPROVAL]: { approval: 0, escrowHash: 4 },
  [TOKEN]: { tokenId: 0, amount: 8, feeInToken: 16 },
};
export const ESCROW = ['approver', 'commission', 'timeout', 'instruction', 'multiParty'];

/** Returns the fields from which all bytes of a transaction are encoded (`make prove ONLY=symbolic`). */
function partsOf(choice: ReadonlyMap<string, number>): string[] {
  const of = (whose: string) =>
    [
      ...COMMON,
      ...Object.keys(BODIES[choice.get(`${whose}.type`)!] ?? {}),
      ...(choice.get(`${whose}.hasEscrow`) === 0 ? [] : ESCROW),
    ].map(field => `${whose}.${field}`);
  const isApproval = choice.get('own.type') === APPROVAL;
  return ['account', 'genesis', ...of('own'), ...(isApproval ? [...of('linked'), 'linked.signature'] : [])];
}

/** Proves that every field that the parser keeps is one of these fields. */
export function proveParts(fields: readonly string[] = Object.keys(FIELDS)): void {
  const named = new Set([...COMMON, ...Object.values(BODIES).flatMap(Object.keys), ...ESCROW]);
  const other = fields.find(field => !named.has(field.replace(/Length$/, '')));
  if (other !== undefined || fields.length - 2 !== named.size)
    throw new UnprovenClaim(`the parser's fields are not those of the theorem: ${other}`);
}

/** Returns the fields that the items of this kind of review leave open. */
function openParts({ choice, items }: Shape): string[] {
  const said = new Set<string>();
  for (const [key, value] of choice) {
    const isSaid = /\.(message|instruction)$/.test(key)
      ? value === NONE
      : key !== 'genesis' || value < NETWORKS.size;
    if (isSaid) said.add(key);
  }
  for (const { value } of items)
    for (const [, form, field] of value.matchAll(/<(\w+) ([\w.]+)>/g)) {
      if (!(form! in FORMS))
        throw new UnprovenClaim(`no proof shows that the form ${form} determines its field`);
      if (FORMS[form!] !== undefined) said.add(field!);
    }
  // A linked transaction has an escrow, and an approval has no recipient. The approver of the linked
  // transaction is the sender of the approval. A hash determines its bytes.
  said.add('linked.hasEscrow');
  if (choice.get('own.type') === APPROVAL) said.add('own.recipient');
  if (said.has('own.sender')) said.add('linked.approver');
  const isBound = said.has('own.escrowHash');
  return partsOf(choice).filter(part => !said.has(part) && !(isBound && part.startsWith('linked.')));
}

/** Returns the fields that some review leaves open. */
export function openOf(shapes: readonly Shape[]): string[] {
  return [...new Set(shapes.flatMap(openParts))].sort();
}
