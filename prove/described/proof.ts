// Proves describeTransaction for all fields and settings: the items of a review, their order, and the origin
// of each. Uninterpreted functions replace the functions that write a number, an account, a time, hex or a
// text. Then proves describeText, with an uninterpreted hash, and the items of the other commands.
import { ACCOUNT_KINDS, KIND_NONE, KIND_ZBC } from '@zbc-signer/chain';
import {
  ADDRESS_LENGTH,
  CONTACT_LENGTH,
  CONTACT_NAME_LENGTH,
  HASH_LENGTH,
  MAX_LINKED,
  MAX_SIGN_MESSAGE,
  MAX_TOKEN_SYMBOL,
  PUBLIC_KEY_LENGTH,
} from '@zbc-signer/protocol/limits';
import { ARENA_SIZE, ITEM_SIZE, ITEMS, readLayout as readAmounts } from '../amounts/layout.js';
import { UnprovenClaim } from '../control.js';
import { ITEM, readLiterals } from '../pages/layout.js';
import { NETWORKS } from '../read-back/check.js';
import { Uninterpreted } from '../signed/uninterpreted.js';
import {
  CURSOR_SIZE,
  FIELDS,
  NAME,
  NAME_LENGTH,
  OWN_ACCOUNT_LENGTH,
  readLayout as readParser,
  SPONGE_LENGTH,
} from '../symbolic/layout.js';
import { Paths } from '../symbolic/paths.js';
import { Run, range } from '../symbolic/run.js';
import type { Solver } from '../symbolic/solver.js';
import { anything, constants, type Input, SymbolicDomain } from '../symbolic/symbolic-domain.js';
import { known, type Term } from '../symbolic/terms.js';
import { TextLoop } from '../symbolic/text-loop.js';
import type { Machine } from '../wasm/machine.js';
import { functionIndex, type Instruction, numbersIn, type WasmModule } from '../wasm/module.js';
import { type Fields, type Item, itemsOf } from './items.js';

const MEMORY = 65_536;
const [COUNT, USED, OVERFLOWED, FIRST_ITEM] = [0, 4, 8, 9] as const;
/** Number of bytes of the host's details of the token. */
const HINT_SIZE = 32;
/** Their offsets, relative to the genesis hash, in the state (firmware/assembly/session.ts). */
const HINT = { decimals: 136, symbol: 140, symbolLength: 144 };
const NO_DECIMALS = 255;
const COIN_DECIMALS = 8;
/** The first account index that the confirmation of an address shows even if details are hidden. */
export const FAR_INDEX = 1000;
/**
 * Maximum space of a text: `2112 bytes (binary) ` and the first 8 digits of its hash, and an item with all 64
 * digits.
 */
const TEXT_WIDTH = 92n;
/** Maximum lengths of what these functions write (make prove ONLY=amounts and ONLY=pages). */
const WIDTHS = {
  putDecimal: 20,
  putSignedDecimal: 20,
  putScaled: 22,
  putCoinSum: 26,
  putTime: 36,
  putAccount: 79,
};
const TYPES = [1, 4, 11];
const NAME_AT = 32;
const NETWORK_SIZE = 64;

/** Names of fields with 64 and with 8 bits; all other fields have 32 bits. */
const WIDE = /timestamp|fee$|amount|tokenId|commission|timeout/;
const NARROW = /hasEscrow|multiParty/;

/** Text written from one place of the arena to another. */
interface Piece {
  at: Term;
  end: Term;
  text: string;
}

export function readLayout(module: WasmModule) {
  const parser = readParser(module);
  const { items, arena } = readAmounts(module);
  const describe = module.functions[functionIndex(module, 'describeText')]!.code;
  return {
    ...parser,
    items,
    arena,
    details: Number(describe[describe.findLastIndex(({ op }) => op === 'i32.load8_u') - 1]!.value),
    contacts: parser.ownAccount + OWN_ACCOUNT_LENGTH + 4 + 2 * HASH_LENGTH + HINT_SIZE,
    /** The account of a contact to register. */
    registered: numbersIn(module, 'register-contact/open')[0]! - NAME,
    address: numbersIn(module, 'putAccount').find(value => value > arena)!,
    network: numbersIn(module, 'networkEntry').find(
      value => module.memory[value + NAME_AT]! > 0 && value > arena,
    )!,
  };
}

export type Layout = ReturnType<typeof readLayout>;

class ItemsDomain extends SymbolicDomain {
  /** Texts written to the arena, in order. */
  readonly pieces: Piece[] = [];
  /** Items that are texts. */
  readonly texts = new Map<number, string>();
  machine!: Machine<Term>;
  /** The loop over the bytes of a text field; undefined if no field may be read. */
  readonly text: TextLoop | undefined;
  readonly #all: Paths;
  readonly #layout: Layout;
  /** Function and position of the last load from the input. */
  #readAt: readonly [number, number] = [-1, -1];

  constructor(module: WasmModule, paths: Paths, layout: Layout, field?: Input) {
    const { items, arena, network, cursor, address, sponge, registered } = layout;
    const written = [
      anything(items, arena - items),
      anything(cursor, CURSOR_SIZE + 12),
      anything(address, ADDRESS_LENGTH),
      anything(sponge, SPONGE_LENGTH),
      anything(registered, NAME_LENGTH + 4),
    ];
    const literals = readLiterals(module).map(({ place }) => constants(place.start, place.length));
    const networks = constants(network, NETWORK_SIZE * NETWORKS.size);
    const kinds = constants(layout.kinds, ACCOUNT_KINDS.length);
    const regions = [...written, networks, kinds, ...literals, anything(0, MEMORY, false)];
    super(module, paths, regions, field ? [field] : []);
    [this.#all, this.#layout] = [paths, layout];
    this.text = field && new TextLoop(paths, field);
  }

  get used(): Term {
    return this.peek(this.#layout.items + USED, 4);
  }

  /** Splits the path at a `select`, which chooses between two literals. */
  override select(condition: Term, whole: Term, other: Term): Term {
    return this.#all.decide(condition) ? whole : other;
  }

  /** Loads a character of the token's symbol. The code reads no other token detail of the host here. */
  override load(op: string, address: Term, offset: number): Term {
    const at = this.#all.terms.plus(address, offset);
    const symbol = this.peek(this.#layout.genesis + HINT.symbol, 4);
    if (known(at) === undefined && this.text) this.#readAt = this.machine.at;
    if (known(at) !== undefined || !(at === symbol || at.parts.includes(symbol)))
      return super.load(op, address, offset);
    return this.#all.terms.extend(this.#all.terms.input(at), 32);
  }

  override store(op: string, address: Term, offset: number, value: Term): void {
    const { arena } = this.#layout;
    const { terms } = this.#all;
    if (terms.plus(address, offset) !== terms.plus(this.used, arena)) {
      super.store(op, address, offset, value);
      return;
    }
    const byte = terms.slice(value, 0, 8);
    const fixed = known(byte);
    this.#piece(
      terms.constant(1n, 32),
      fixed === undefined ? `{${byte.id}}` : String.fromCharCode(Number(fixed)),
    );
  }

  again(code: readonly Instruction[], start: number, locals: Term[]): void {
    const { end } = code[start]!;
    const [index, at] = this.#readAt;
    if (at >= start && at <= end && index === this.machine.at[0])
      this.text!.pass(code.slice(start, end), locals);
  }

  #piece(width: Term, text: string): void {
    this.pieces.push({ at: this.used, end: this.#all.terms.plus(this.used, width), text });
  }

  /** Records the text of an uninterpreted function. */
  put(text: string, width: Term): void {
    const { items } = this.#layout;
    this.#piece(width, text);
    const last = this.item(Number(known(this.peek(items + COUNT, 4))) - 1) + ITEM.length;
    for (const at of [items + USED, last]) this.#advance(at, width);
  }

  /**
   * Records an item whose value is a text field. Whether describeText omits the item, shows the text or
   * describes binary data is left open.
   */
  refer(title: Term, text: string, width: Term): void {
    const { items } = this.#layout;
    const count = Number(known(this.peek(items + COUNT, 4)));
    this.texts.set(count, text);
    this.write(this.item(count) + ITEM.title, title);
    this.write(items + COUNT, this.#all.terms.constant(BigInt(count + 1), 32));
    this.#advance(items + USED, width);
  }

  #advance(at: number, by: Term): void {
    this.write(at, this.#all.terms.plus(this.peek(at, 4), by));
  }

  /** Begins with a list of this many items, whose values have the first `used` bytes of the arena. */
  begin(count: number, used: Term): void {
    const { terms } = this.#all;
    const { items } = this.#layout;
    this.write(items + COUNT, terms.constant(BigInt(count), 32));
    this.write(items + USED, used);
    this.write(items + OVERFLOWED, terms.constant(0n, 8));
  }

  item(index: number): number {
    return this.#layout.items + FIRST_ITEM + ITEM_SIZE * index;
  }
}

export class DescriptionProof {
  paths = 0;
  items = 0;
  readonly #module: WasmModule;
  readonly #layout: Layout;
  readonly #solver: Solver;
  readonly #literals: ReadonlyMap<number, string>;

  constructor(module: WasmModule, layout: Layout, solver: Solver) {
    [this.#module, this.#layout, this.#solver] = [module, layout, solver];
    this.#literals = new Map(readLiterals(module).map(({ address, text }) => [address, text]));
  }

  /** Proves all reviews, with token symbols up to this length. */
  prove(longest = MAX_TOKEN_SYMBOL): void {
    const [module, layout] = [this.#module, this.#layout];
    const paths = new Paths(this.#solver);
    const { terms } = paths;
    paths.explore(() => {
      const domain = new ItemsDomain(module, paths, layout);
      const run = new Run(module, paths, domain);
      const number = (value: number) => run.number(value);
      const { transaction, linked, genesis, network } = layout;
      for (const [of, types] of [
        [transaction, TYPES],
        [linked, TYPES.filter(each => each !== 4)],
      ] as const) {
        const type = paths.fresh(32, 1n, 11n);
        paths.assume(terms.isOneOf(type, types));
        domain.write(of + FIELDS.type, type);
      }
      domain.write(genesis + HINT.symbolLength, paths.fresh(32, 0n, BigInt(longest)));
      const escrow = terms.not(
        terms.eq(domain.peek(transaction + FIELDS.hasEscrow, 1), terms.constant(0n, 8)),
      );
      const isApproval = terms.eq(domain.peek(transaction + FIELDS.type, 4), number(4));
      paths.assume(terms.not(terms.both(isApproval, escrow)));
      const [length, linkedLength] = [12, 16].map(at => domain.peek(layout.account + at, 4));
      domain.write(layout.received, terms.plus(length!, linkedLength!));
      let isKnown = false;
      for (const name of ['parseFields', 'parseLinked']) run.stub(name, () => undefined);
      run.stub('checkAccount', (account, option, contact) => {
        const slot = layout.contacts + (known(option!) === 2n ? CONTACT_LENGTH : 0);
        if (known(contact!) !== BigInt(slot)) throw new UnprovenClaim('a wrong contact is checked');
        domain.write(Number(known(account!)) + NAME, contact!);
        const length = paths.fresh(32, 0n, BigInt(CONTACT_NAME_LENGTH));
        domain.write(Number(known(account!)) + NAME_LENGTH, length);
      });
      run.stub('networkEntry', () => {
        isKnown = paths.decide(run.any());
        return number(isKnown ? network : 0);
      });
      for (const [name, width] of Object.entries(WIDTHS))
        run.stub(name, (...of) => domain.put(this.#write(name, of), paths.fresh(32, 1n, BigInt(width))));
      run.stub('putHex', (from, count) =>
        domain.put(this.#write('putHex', [from!, count!]), terms.plus(count!, count!)),
      );
      run.stub('describeText', (title, hashTitle, pointer, length) => {
        const [used, set] = [layout.details, this.#setting()].map(at => paths.decide(domain.peek(at, 1)));
        if (used !== set) throw new UnprovenClaim('a text is described with another setting');
        const text = this.#write(`text, ${this.#literal(hashTitle!)}`, [pointer!, length!]);
        domain.refer(title!, text, paths.fresh(32, 0n, TEXT_WIDTH));
      });
      run.call('sign-tx/formItems');
      if (paths.decide(domain.peek(layout.cursor + 20, 4))) return;
      const field = (name: keyof typeof HINT) => domain.peek(genesis + HINT[name], 4);
      const hasDecimals = () => !paths.decide(terms.eq(field('decimals'), number(NO_DECIMALS)));
      const own = this.#fields(paths, domain, transaction);
      const characters = (from: Term, count: number) =>
        terms
          .inputs(from, count)
          .map(({ id }) => `{${id}}`)
          .join('');
      const report = (): string | undefined => {
        if (!own.is('type', 11)) return undefined;
        let length = 0;
        while (!paths.decide(terms.eq(field('symbolLength'), number(length)))) length++;
        if (!hasDecimals() && length === 0) return undefined;
        const amount = domain.peek(transaction + FIELDS.amount, 8);
        const value = hasDecimals()
          ? this.#write('putScaled', [amount, field('decimals')])
          : `${own.decimal('amount')} atomic units`;
        return length === 0 ? value : `${value} ${characters(field('symbol'), length)}`;
      };
      const wanted = itemsOf({
        own,
        linked: this.#fields(paths, domain, linked),
        network: isKnown ? this.#networkName() : undefined,
        genesis: bytes => this.#write('putHex', [number(genesis), number(bytes)]),
        accountIndex: this.#write('putDecimal', [terms.extend(domain.peek(layout.account, 4), 64)]),
        isDetailed: paths.decide(domain.peek(this.#setting(), 1)),
        report: report(),
      });
      this.#compare(domain, wanted);
    });
    this.paths += paths.count;
  }

  /** Proves the items of a message: the address of the user's own key, and all bytes that were received. */
  proveMessage(): void {
    const { received, ownAccount, payload } = this.#layout;
    const paths = new Paths(this.#solver);
    paths.explore(() => {
      const domain = new ItemsDomain(this.#module, paths, this.#layout);
      const run = new Run(this.#module, paths, domain);
      const length = paths.fresh(32, 1n, BigInt(MAX_SIGN_MESSAGE));
      domain.write(received, length);
      const address = this.#stubAddress(run, run.number(ownAccount + 4));
      run.call('sign-message/formItems');
      this.#compare(domain, [
        { title: 'Account', value: address },
        { title: 'Message', value: this.#write('bytes', [run.number(payload), length]) },
      ]);
    });
    this.paths += paths.count;
  }

  /** Proves the items of the confirmation of an address: its index if the user must see it, and the address. */
  proveAddress(): void {
    const { account, ownAccount } = this.#layout;
    const paths = new Paths(this.#solver);
    const { terms } = paths;
    paths.explore(() => {
      const domain = new ItemsDomain(this.#module, paths, this.#layout);
      const run = new Run(this.#module, paths, domain);
      const address = this.#stubAddress(run, run.number(ownAccount + 4));
      run.stub('putDecimal', value =>
        domain.put(this.#write('putDecimal', [value!]), paths.fresh(32, 1n, BigInt(WIDTHS.putDecimal))),
      );
      run.call('get-public-key/formItems');
      const index = domain.peek(account, 4);
      const isShown =
        paths.decide(domain.peek(this.#setting(), 1)) ||
        !paths.decide(terms.less(index, run.number(FAR_INDEX)));
      const shown = { title: 'Account index', value: this.#write('putDecimal', [terms.extend(index, 64)]) };
      this.#compare(domain, [...(isShown ? [shown] : []), { title: 'Address', value: address }]);
    });
    this.paths += paths.count;
  }

  /**
   * Proves the items of a contact to register, for each kind of account: the name, the chain and the account that
   * the review keeps.
   */
  proveContact(): void {
    const { contacts, genesis, network } = this.#layout;
    for (const [kind, { payloadLength }] of ACCOUNT_KINDS.entries()) {
      if (kind === KIND_NONE) continue;
      const paths = new Paths(this.#solver);
      paths.explore(() => {
        const domain = new ItemsDomain(this.#module, paths, this.#layout);
        const run = new Run(this.#module, paths, domain);
        const account = contacts + CONTACT_NAME_LENGTH;
        domain.write(account, run.number(kind));
        const length = paths.fresh(32, 1n, BigInt(CONTACT_NAME_LENGTH));
        run.stub('contact/nameLength', name => {
          if (known(name!) !== BigInt(contacts)) throw new UnprovenClaim('another name is measured');
          return length;
        });
        let isKnown = false;
        run.stub('networkEntry', () => {
          isKnown = paths.decide(run.any());
          return run.number(isKnown ? network : 0);
        });
        run.stub('putHex', (from, count) =>
          domain.put(this.#write('putHex', [from!, count!]), paths.terms.plus(count!, count!)),
        );
        run.stub('putAccount', of => {
          const [shown, payload, bytes] = [0, 4, 8].map(at => known(domain.peek(Number(known(of!)) + at, 4)));
          if (shown !== BigInt(kind) || payload !== BigInt(account + 4) || bytes !== BigInt(payloadLength))
            throw new UnprovenClaim('another account is shown than the one that is kept');
          domain.put('{account}', paths.fresh(32, 1n, BigInt(WIDTHS.putAccount)));
        });
        run.call('register-contact/formItems');
        const hash = (bytes: number) =>
          this.#write(
            'putHex',
            [genesis, bytes].map(each => run.number(each)),
          );
        const isDetailed = !isKnown && paths.decide(domain.peek(this.#setting(), 1));
        this.#compare(domain, [
          { title: 'New contact', value: this.#write('bytes', [run.number(contacts), length]) },
          { title: 'Network', value: isKnown ? this.#networkName() : `UNKNOWN CHAIN ${hash(4)}` },
          ...(isDetailed ? [{ title: 'Chain hash', value: hash(HASH_LENGTH) }] : []),
          { title: 'Address', value: '{account}' },
        ]);
      });
      this.paths += paths.count;
    }
  }

  /** Returns the name of the first chain of the table. */
  #networkName(): string {
    const { memory } = this.#module;
    const at = this.#layout.network + NAME_AT;
    return Buffer.from(memory.subarray(at + 1, at + 1 + memory[at]!)).toString('latin1');
  }

  /** Proves which chain has which name: the whole genesis hash must equal that of the table's entry. */
  proveNetworks(): void {
    const { genesis, network } = this.#layout;
    const paths = new Paths(this.#solver);
    const { terms } = paths;
    paths.explore(() => {
      const run = new Run(this.#module, paths, new ItemsDomain(this.#module, paths, this.#layout));
      const entry = run.call('networkEntry', run.number(genesis))!;
      const bytes = run.bytes(genesis, HASH_LENGTH);
      for (const [i, hash] of [...NETWORKS.keys()].entries()) {
        const isAll = [...Buffer.from(hash, 'hex')]
          .map((byte, at) => terms.eq(bytes[at]!, terms.constant(BigInt(byte), 8)))
          .reduce((a, b) => terms.both(a, b));
        const isNamed = known(entry) === BigInt(network + NETWORK_SIZE * i);
        paths.require(
          isNamed ? isAll : terms.not(isAll),
          'a chain has the name of another chain, or no name',
        );
      }
    });
    this.paths += paths.count;
  }

  /**
   * Proves describeText, for all bytes and lengths of a field and after at most `most` items: a text is
   * shown unchanged. For a binary value, its length and the digits of the hash of exactly its bytes are shown.
   */
  proveTexts(most = ITEMS - 2): void {
    for (let count = 0; count <= most; count++) {
      const paths = new Paths(this.#solver);
      paths.explore(() => this.#proveText(paths, count));
      this.paths += paths.count;
    }
  }

  #proveText(paths: Paths, count: number): void {
    const { items, cursor, details, sponge } = this.#layout;
    const { terms } = paths;
    const [title, hashTitle] = [paths.fresh(32), paths.fresh(32)];
    const [pointer, length] = [paths.fresh(32, 0n, BigInt(MEMORY)), paths.fresh(32, 0n, BigInt(MAX_LINKED))];
    const domain = new ItemsDomain(this.#module, paths, this.#layout, { start: pointer, length });
    const run = new Uninterpreted(this.#module, paths, domain);
    domain.machine = run.machine;
    domain.begin(count, paths.fresh(32, 0n, BigInt(ARENA_SIZE) - TEXT_WIDTH));
    const earlier = () => [
      ...run.bytes(items + FIRST_ITEM, ITEM_SIZE * count),
      ...run.bytes(cursor, CURSOR_SIZE + 12),
    ];
    const before = earlier();
    run.stubSha3(sponge, () => false);
    const width = paths.fresh(32, 1n, BigInt(`${MAX_LINKED}`.length));
    run.stub('putDecimal', value => domain.put(this.#write('putDecimal', [value!]), width));
    run.stub('putHex', (from, bytes) => {
      const of = run.bytes(Number(known(from!)), Number(known(bytes!)));
      domain.put(this.#write('hex', of), run.number(2 * of.length));
    });
    run.call('describeText', title, hashTitle, pointer, length);
    if (earlier().some((byte, i) => byte !== before[i]))
      throw new UnprovenClaim('a text changes an earlier item, or the state of the parser');
    const isDetailed = () => paths.decide(domain.peek(details, 1));
    const hash = run.sha3([pointer, length]);
    const form = (of: readonly Term[]) => this.#write('hex', of);
    const wanted: Item[] = [];
    if (!domain.text!.isText()) {
      const bytes = this.#write('putDecimal', [terms.extend(length, 64)]);
      const value = `${bytes} bytes (binary) ${form(hash.slice(0, 4))}`;
      wanted.push({ title: this.#literal(title), value, isInverse: true });
      if (isDetailed()) wanted.push({ title: this.#literal(hashTitle), value: form(hash) });
    } else if (!paths.holds(terms.eq(length, run.number(0))))
      wanted.push({ title: this.#literal(title), value: this.#write('bytes', [pointer, length]) });
    this.#compare(domain, wanted, count);
  }

  /**
   * Proves the value of an account of each kind: the address of its payload, or the name of its kind and all
   * bytes of the payload.
   */
  proveAccounts(): void {
    const { arena, transaction } = this.#layout;
    for (const [kind, { name }] of ACCOUNT_KINDS.entries()) {
      if (kind === KIND_NONE) continue;
      const paths = new Paths(this.#solver);
      paths.explore(() => {
        const domain = new ItemsDomain(this.#module, paths, this.#layout);
        const run = new Run(this.#module, paths, domain);
        const number = (value: number) => run.number(value);
        const [payload, length] = [paths.fresh(32), paths.fresh(32, 0n, BigInt(PUBLIC_KEY_LENGTH))];
        const hex = [payload, length] as const;
        const of = transaction + FIELDS.recipient;
        for (const [i, each] of [number(kind), ...hex].entries()) domain.write(of + 4 * i, each);
        domain.begin(1, number(0));
        for (const [at, value] of [
          [domain.item(0) + ITEM.value, number(arena)],
          [domain.item(0) + ITEM.length, number(0)],
          [domain.item(0) + ITEM.large, number(0)],
        ] as const)
          domain.write(at, value);
        const address = this.#stubAddress(run, payload);
        run.stub('putHex', (...given) =>
          domain.put(this.#write('putHex', given), paths.terms.plus(given[1]!, given[1]!)),
        );
        run.call('putAccount', number(of));
        const wanted = kind === KIND_ZBC ? address : `${name} ${this.#write('putHex', hex)}`;
        if (this.#found(domain, 0).value !== wanted)
          throw new UnprovenClaim(`an account of kind ${kind} has a wrong value`);
      });
      this.paths += paths.count;
    }
  }

  /** Replaces formatAddress by an arbitrary function of a key, and returns the characters that it writes. */
  #stubAddress(run: Run<ItemsDomain>, of: Term): string {
    const address = range(ADDRESS_LENGTH).map(() => run.paths.fresh(8));
    run.stub('formatAddress', (out, key) => {
      if (key !== of) throw new UnprovenClaim('the address of a wrong key is formed');
      run.put(Number(known(out!)), address);
    });
    return address.map(({ id }) => `{${id}}`).join('');
  }

  /** Address of the setting `Details`, which determines whether a review shows details. */
  #setting(): number {
    const { code } = this.#module.functions[functionIndex(this.#module, 'sign-tx/formItems')]!;
    return Number(code[code.findLastIndex(({ op }) => op === 'i32.load8_u') - 1]!.value);
  }

  #literal(at: Term): string {
    return this.#literals.get(Number(known(at))) ?? `{${at.id}}`;
  }

  #write(name: string, of: readonly Term[]): string {
    return `{${name} ${of.map(({ id }) => id).join(' ')}}`;
  }

  #fields(paths: Paths, domain: SymbolicDomain, at: number): Fields {
    const { terms } = paths;
    const field = (name: string) =>
      domain.peek(at + FIELDS[name as keyof typeof FIELDS], WIDE.test(name) ? 8 : NARROW.test(name) ? 1 : 4);
    const zero = terms.constant(0n, 64);
    return {
      is: (name, value) =>
        paths.decide(terms.eq(field(name), terms.constant(BigInt(value), field(name).bits))),
      coins: name =>
        `${this.#write('putScaled', [field(name), terms.constant(BigInt(COIN_DECIMALS), 32)])} ZBC`,
      sum: (...names) => this.#write('putCoinSum', [...names.map(field), zero].slice(0, 3)),
      decimal: name => this.#write('putDecimal', [field(name)]),
      signed: name => this.#write('putSignedDecimal', [field(name)]),
      time: name => this.#write('putTime', [field(name)]),
      account: name =>
        this.#write('putAccount', [terms.constant(BigInt(at + FIELDS[name as keyof typeof FIELDS]), 32)]),
      contact: name => {
        const [value, length] = [NAME, NAME_LENGTH].map(offset =>
          domain.peek(at + FIELDS[name as keyof typeof FIELDS] + offset, 4),
        );
        return paths.decide(length!) ? this.#write('bytes', [value!, length!]) : undefined;
      },
      hash: name => this.#write('putHex', [field(name), terms.constant(32n, 32)]),
      text: (name, hashTitle) => this.#write(`text, ${hashTitle}`, [field(name), field(`${name}Length`)]),
    };
  }

  /** Compares the items from the one with the index `first` on. */
  #compare(domain: ItemsDomain, wanted: readonly Item[], first = 0): void {
    const { items } = this.#layout;
    const count = Number(known(domain.peek(items + COUNT, 4)));
    const isWithin = count + domain.texts.size <= ITEMS && domain.used.high <= BigInt(ARENA_SIZE);
    if (known(domain.peek(items + OVERFLOWED, 1)) !== 0n || !isWithin)
      throw new UnprovenClaim('the items or their values may not fit');
    for (let i = first; i < Math.max(count, first + wanted.length); i++) {
      const found = i < count ? this.#found(domain, i) : undefined;
      const [is, should] = [found, wanted[i - first]].map(
        each =>
          each &&
          `${each.title}: ${each.value}${each.isLarge ? ' (large)' : ''}${each.isInverse ? ' (inverse)' : ''}`,
      );
      if (is !== should) throw new UnprovenClaim(`item ${i + 1} is ${is}, not ${should}`);
    }
    this.items += count - first;
  }

  #found(domain: ItemsDomain, index: number): Item {
    const { arena } = this.#layout;
    const at = domain.item(index);
    const title = this.#literal(domain.peek(at + ITEM.title, 4));
    const [value, length] = [domain.peek(at + ITEM.value, 4), domain.peek(at + ITEM.length, 4)];
    const marks = [ITEM.large, ITEM.inverse].map(each => known(domain.peek(at + each, 1)));
    const text = domain.texts.get(index);
    if (text !== undefined) return { title, value: text };
    const [isLarge, isInverse] = marks.map(mark => mark !== 0n);
    const { terms } = this.#solver;
    const start = terms.plus(value, -arena);
    const end = terms.plus(start, length);
    const from = domain.pieces.findIndex(({ at: place }) => place === start);
    const to = domain.pieces.findIndex(({ end: place }) => place === end);
    const written = domain.pieces.slice(from, to + 1).map(({ text }) => text);
    const isWritten = from >= 0 && to >= from;
    return {
      title,
      value: isWritten ? written.join('') : this.#write('bytes', [value, length]),
      ...{ isLarge: isLarge!, isInverse: isInverse! },
    };
  }
}
