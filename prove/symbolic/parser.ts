// Proves the parser of the shipped module on all bytes and lengths. Encoding the fields again gives the
// accepted bytes, so every byte belongs to exactly one field.
import { KIND_NONE, TRANSACTION_FORMATS } from '@zbc-signer/chain';
import { MAX_INSTRUCTION, MAX_LINKED, MAX_MESSAGE, MAX_TRANSACTION } from '@zbc-signer/protocol/limits';
import { APPROVAL_ESCROW, TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';
import { UnprovenClaim } from '../control.js';
import { Machine } from '../wasm/machine.js';
import { functionIndex, type WasmModule } from '../wasm/module.js';
import { Encoder } from './encoder.js';
import {
  ACCEPTED,
  CURSOR,
  CURSOR_SIZE,
  FIELDS,
  HASH_LENGTH,
  KINDS,
  type Layout,
  OWN_ACCOUNT_LENGTH,
  readLayout,
  SPONGE_LENGTH,
  TRANSACTION_SIZE,
} from './layout.js';
import { PathEnd, Paths } from './paths.js';
import type { Solver } from './solver.js';
import { anything, constants, type Region, SymbolicDomain } from './symbolic-domain.js';
import { known, type Term } from './terms.js';

const LINKED_SIGNATURE = 64;

export interface ParserTally {
  paths: number;
  accepted: number;
  accesses: number;
}

function regions(layout: Layout): Region[] {
  return [
    anything(layout.cursor, CURSOR_SIZE),
    anything(layout.transaction, TRANSACTION_SIZE),
    anything(layout.linked, TRANSACTION_SIZE),
    anything(layout.hash, HASH_LENGTH),
    anything(layout.sponge, SPONGE_LENGTH),
    anything(layout.ownAccount, OWN_ACCOUNT_LENGTH, false),
    anything(layout.received, 4, false),
    anything(layout.transactionLength, 4, false),
    anything(layout.linkedLength, 4, false),
    constants(layout.kinds, KINDS),
  ];
}

export class Parser {
  readonly #module: WasmModule;
  readonly #solver: Solver;
  readonly #layout: Layout;
  /** End of the linked transaction's hash in an approval; it is the same in all accepted approvals. */
  #hashAt: bigint | undefined;

  constructor(module: WasmModule, solver: Solver) {
    [this.#module, this.#solver, this.#layout] = [module, solver, readLayout(module)];
  }

  /** Proves the user's own transaction, of 1 to 2048 bytes, before its linked transaction is parsed. */
  proveTransaction(): ParserTally {
    const [layout, module] = [this.#layout, this.#module];
    const parseLinked = functionIndex(module, 'parseLinked');
    return this.#explore((paths, { length, linkedLength, tally }) => {
      const domain = new SymbolicDomain(module, paths, regions(layout), [this.#input(paths, length)]);
      const { terms } = paths;
      this.#setUp(domain, paths, length, linkedLength);
      domain.stubs.set(parseLinked, () => {
        tally.accesses += domain.accesses;
        if (paths.decide(domain.peek(layout.cursor + CURSOR.status, 4))) throw new PathEnd();
        tally.accepted++;
        const position = domain.peek(layout.cursor + CURSOR.position, 4);
        paths.require(
          terms.eq(position, terms.plus(length, layout.payload)),
          'a transaction is accepted before the end of its bytes',
        );
        const start = terms.constant(BigInt(layout.payload), 32);
        const encoder = new Encoder(paths, domain, start, layout.transaction);
        encoder.writeTransaction();
        paths.require(terms.eq(encoder.offset, length), 'the fields do not cover all bytes');
        encoder.requireOwn('sender', layout.ownAccount);
        this.#requireBounds(domain, paths);
        this.#requireAccepted(domain, paths, layout.transaction);
        this.#noteHash(domain, paths);
        throw new PathEnd();
      });
      new Machine(module, domain).call(functionIndex(module, 'sign-tx/formItems'), []);
    });
  }

  /** Proves the linked transaction, of 0 to 2112 bytes, of an accepted transaction of any type. */
  proveLinked(): ParserTally {
    const [layout, module] = [this.#layout, this.#module];
    const at = (name: string) => functionIndex(module, name);
    const hashAt = this.#hashAt;
    if (hashAt === undefined) throw new UnprovenClaim('no accepted transaction names a linked one');
    return this.#explore((paths, { length, linkedLength, tally }) => {
      const { terms } = paths;
      const start = paths.fresh(32, BigInt(layout.payload + 1), BigInt(layout.payload + MAX_TRANSACTION));
      const own = { start: terms.constant(BigInt(layout.payload), 32), length };
      const domain = new SymbolicDomain(module, paths, regions(layout), [
        { start, length: linkedLength },
        own,
      ]);
      paths.assume(terms.not(terms.less(length, terms.constant(hashAt, 32))));
      const type = paths.fresh(32);
      paths.assume(terms.isOneOf(type, Object.keys(TRANSACTION_FORMATS).map(Number)));
      domain.write(layout.transaction + FIELDS.type, type);
      domain.write(
        layout.transaction + FIELDS.escrowHash,
        terms.constant(BigInt(layout.payload) + hashAt - BigInt(HASH_LENGTH), 32),
      );
      domain.write(layout.cursor + CURSOR.status, terms.constant(0n, 32));
      domain.stubs.set(at('sha3Update'), ([from, count]) => {
        paths.require(
          terms.both(terms.eq(from!, start), terms.eq(count!, linkedLength)),
          'the hash covers wrong bytes',
        );
        return [];
      });
      domain.stubs.set(at('sha3Final'), ([to]) => {
        for (let i = 0; i < HASH_LENGTH; i++)
          domain.write(known(to!)! + BigInt(i), terms.symbol(`hash${i}`, 8));
        return [];
      });
      new Machine(module, domain).call(at('parseLinked'), [start, linkedLength]);
      tally.accesses += domain.accesses;
      if (paths.decide(domain.peek(layout.cursor + CURSOR.status, 4))) return;
      tally.accepted++;
      if (!paths.decide(terms.eq(type, terms.constant(BigInt(APPROVAL_ESCROW), 32)))) {
        paths.require(
          terms.not(linkedLength),
          'linked bytes are accepted for a transaction that must have none',
        );
        return;
      }
      const encoder = new Encoder(paths, domain, start, layout.linked);
      encoder.writeTransaction();
      encoder.requireOwn('approver', layout.ownAccount);
      this.#requireAccepted(domain, paths, layout.linked);
      const isApproval = terms.eq(
        domain.peek(layout.linked + FIELDS.type, 4),
        terms.constant(BigInt(APPROVAL_ESCROW), 32),
      );
      paths.require(terms.not(isApproval), 'the linked transaction is an approval');
      const escrow = domain.peek(layout.linked + FIELDS.hasEscrow, 1);
      paths.require(terms.eq(escrow, terms.constant(1n, 8)), 'the linked transaction has no escrow');
      const unsigned = terms.plus(linkedLength, -LINKED_SIGNATURE);
      paths.require(
        terms.eq(encoder.offset, unsigned),
        'the fields do not cover all bytes before the signature',
      );
    });
  }

  #explore(
    run: (paths: Paths, given: { length: Term; linkedLength: Term; tally: ParserTally }) => void,
  ): ParserTally {
    const paths = new Paths(this.#solver);
    const tally = { paths: 0, accepted: 0, accesses: 0 };
    paths.explore(() => {
      const length = paths.fresh(32, 1n, BigInt(MAX_TRANSACTION));
      const linkedLength = paths.fresh(32, 0n, BigInt(MAX_LINKED));
      run(paths, { length, linkedLength, tally });
    });
    tally.paths = paths.count;
    return tally;
  }

  #setUp(domain: SymbolicDomain, paths: Paths, length: Term, linkedLength: Term): void {
    const layout = this.#layout;
    domain.write(layout.transactionLength, length);
    domain.write(layout.linkedLength, linkedLength);
    domain.write(layout.received, paths.terms.plus(length, linkedLength));
  }

  /** Requires properties on which the screens and the linked transaction rely. */
  #requireBounds(domain: SymbolicDomain, paths: Paths): void {
    const { terms } = paths;
    for (const [field, most] of [
      ['messageLength', MAX_MESSAGE],
      ['instructionLength', MAX_INSTRUCTION],
    ] as const) {
      if (
        field === 'instructionLength' &&
        !paths.decide(domain.peek(this.#layout.transaction + FIELDS.hasEscrow, 1))
      )
        continue;
      const length = domain.peek(this.#layout.transaction + FIELDS[field], 4);
      paths.require(
        terms.not(terms.less(terms.constant(BigInt(most), 32), length)),
        `${field} may be too large`,
      );
    }
  }

  /** Requires fields with few possible values to have one of these values. */
  #requireAccepted(domain: SymbolicDomain, paths: Paths, at: number): void {
    const { terms } = paths;
    const field = (name: keyof typeof FIELDS, bytes: number) => domain.peek(at + FIELDS[name], bytes);
    const is = (term: Term, value: number) => terms.eq(term, terms.constant(BigInt(value), term.bits));
    const isType = (type: number) => paths.decide(is(field('type', 4), type));
    const read: [keyof typeof FIELDS, number][] = [
      ['type', 4],
      ['hasEscrow', 1],
    ];
    if (isType(APPROVAL_ESCROW)) read.push(['approval', 4]);
    if (isType(TRANSFER_TOKEN)) read.push(['feeInToken', 4]);
    if (paths.decide(field('hasEscrow', 1))) read.push(['multiParty', 1]);
    for (const [name, bytes] of read)
      paths.require(
        terms.isOneOf(field(name, bytes), ACCEPTED[name]!),
        `${name} has a value that is not allowed`,
      );
    if (isType(APPROVAL_ESCROW))
      paths.require(is(field('recipient', 4), KIND_NONE), 'an approval has a recipient');
  }

  #noteHash(domain: SymbolicDomain, paths: Paths): void {
    const layout = this.#layout;
    const type = domain.peek(layout.transaction + FIELDS.type, 4);
    if (!paths.decide(paths.terms.eq(type, paths.terms.constant(BigInt(APPROVAL_ESCROW), 32)))) return;
    const escrow = domain.peek(layout.transaction + FIELDS.hasEscrow, 1);
    paths.require(paths.terms.eq(escrow, paths.terms.constant(0n, 8)), 'an approval has an escrow');
    const at = known(domain.peek(layout.transaction + FIELDS.escrowHash, 4));
    if (at === undefined) throw new UnprovenClaim('the hash of a linked transaction has no fixed address');
    const end = at - BigInt(layout.payload - HASH_LENGTH);
    if (this.#hashAt !== undefined && this.#hashAt !== end)
      throw new UnprovenClaim('the hash of a linked transaction is at different addresses');
    this.#hashAt = end;
  }

  #input(paths: Paths, length: Term) {
    return { start: paths.terms.constant(BigInt(this.#layout.payload), 32), length };
  }
}
