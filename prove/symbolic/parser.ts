// The parser of the shipped module on all bytes and lengths. Accepted bytes are what the fields say, written
// again: so no byte of them is in no field, and none is read twice.
import { MAX_INSTRUCTION, MAX_LINKED, MAX_MESSAGE, MAX_TRANSACTION } from '@zbc-signer/protocol/limits';
import { APPROVAL_ESCROW, SEND_ZBC, TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';
import { Machine } from '../wasm/machine.js';
import { functionIndex, type WasmModule } from '../wasm/module.js';
import {
  CURSOR,
  CURSOR_SIZE,
  FIELDS,
  HASH_LENGTH,
  KINDS,
  type Layout,
  OWN_ACCOUNT_LENGTH,
  PAYLOAD,
  PAYLOAD_LENGTH,
  readLayout,
  TRANSACTION_SIZE,
} from './layout.js';
import { PathEnds, Paths } from './paths.js';
import type { Solver } from './solver.js';
import { type Region, SymbolicDomain } from './symbolic-domain.js';
import { known, type Term } from './terms.js';

const PUBLIC_KEY_LENGTH = 32;
const KIND_NONE = 2n;
const LINKED_SIGNATURE = 64n;
const FEE_IN_TOKEN_ABSENT = 2n;

export interface ParserTally {
  paths: number;
  accepted: number;
  accesses: number;
}

function regions(layout: Layout): Region[] {
  const anything = (name: string, start: number, length: number, isWritable: boolean): Region => ({
    name,
    start,
    length,
    holds: 'anything',
    isWritable,
  });
  return [
    anything('cursor', layout.cursor, CURSOR_SIZE, true),
    anything('transaction', layout.transaction, TRANSACTION_SIZE, true),
    anything('linked', layout.linked, TRANSACTION_SIZE, true),
    anything('hash', layout.hash, HASH_LENGTH, true),
    anything('own account', layout.ownAccount, OWN_ACCOUNT_LENGTH, false),
    anything('received', layout.received, 4, false),
    anything('transaction length', layout.transactionLength, 4, false),
    anything('linked length', layout.linkedLength, 4, false),
    { name: 'kinds', start: layout.kinds, length: KINDS, holds: 'constants', isWritable: false },
  ];
}

/** Writes the fields of an accepted transaction again, and holds them against its bytes. */
class Encoder {
  /** How many bytes were written. */
  offset: Term;
  private readonly paths: Paths;
  private readonly domain: SymbolicDomain;
  private readonly start: Term;
  private readonly at: number;

  constructor(paths: Paths, domain: SymbolicDomain, start: Term, at: number) {
    [this.paths, this.domain, this.start, this.at] = [paths, domain, start, at];
    this.offset = paths.terms.constant(0n, 32);
  }

  writeTransaction(): void {
    const type = this.field('type', 4);
    this.word(type, 'type');
    this.word(this.constant(1n, 8), 'version');
    this.word(this.field('timestamp', 8), 'timestamp');
    this.account(FIELDS.sender, PUBLIC_KEY_LENGTH, 'sender');
    const length = known(this.domain.peek(this.at + FIELDS.recipient + PAYLOAD_LENGTH, 4));
    this.account(FIELDS.recipient, Number(length), 'recipient');
    this.word(this.field('fee', 8), 'fee');
    this.body(type);
    this.escrow();
    this.text('message', 'messageLength');
  }

  private body(type: Term): void {
    if (this.is(type, BigInt(SEND_ZBC))) {
      this.word(this.constant(8n, 32), 'length of the body');
      this.word(this.field('amount', 8), 'amount');
    } else if (this.is(type, BigInt(APPROVAL_ESCROW))) {
      this.word(this.constant(36n, 32), 'length of the body');
      this.word(this.field('approval', 4), 'approval');
      this.bytes(this.field('escrowHash', 4), this.constant(BigInt(HASH_LENGTH), 32), 'hash');
    } else {
      this.paths.require(this.paths.terms.eq(type, this.constant(BigInt(TRANSFER_TOKEN), 32)), 'type');
      const fee = this.field('feeInToken', 4);
      const isAbsent = this.is(fee, FEE_IN_TOKEN_ABSENT);
      this.word(this.constant(isAbsent ? 16n : 17n, 32), 'length of the body');
      this.word(this.field('tokenId', 8), 'token');
      this.word(this.field('amount', 8), 'amount');
      if (!isAbsent) this.word(this.paths.terms.slice(fee, 0, 8), 'fee in token');
    }
  }

  private escrow(): void {
    if (!this.paths.decide(this.field('hasEscrow', 1))) {
      this.word(this.constant(KIND_NONE, 32), 'escrow');
      return;
    }
    this.account(FIELDS.approver, PUBLIC_KEY_LENGTH, 'approver');
    this.word(this.field('commission', 8), 'commission');
    this.word(this.field('timeout', 8), 'timeout');
    this.text('instruction', 'instructionLength');
    const { terms } = this.paths;
    const flag = terms.select(this.field('multiParty', 1), this.constant(1n, 8), this.constant(0n, 8));
    this.word(flag, 'multi-party');
  }

  private account(offset: number, length: number, what: string): void {
    this.word(this.domain.peek(this.at + offset, 4), `kind of the ${what}`);
    const payload = this.domain.peek(this.at + offset + PAYLOAD, 4);
    this.bytes(payload, this.constant(BigInt(length), 32), what);
  }

  private text(pointer: keyof typeof FIELDS, length: keyof typeof FIELDS): void {
    const count = this.field(length, 4);
    this.word(count, length);
    this.bytes(this.field(pointer, 4), count, pointer);
  }

  /** A number that was parsed, as its bytes. */
  private word(value: Term, what: string): void {
    const { terms } = this.paths;
    const bytes = Array.from({ length: value.bits / 8 }, (_, i) =>
      terms.input(
        terms.sum(
          32,
          [
            [this.start, 1n],
            [this.offset, 1n],
          ],
          BigInt(i),
        ),
      ),
    );
    this.paths.require(terms.eq(terms.join(bytes), value), `${what} is not what the bytes say`);
    this.advance(this.constant(BigInt(bytes.length), 32));
  }

  /** Bytes that the transaction points to: they must be those that stand here. */
  private bytes(pointer: Term, length: Term, what: string): void {
    const { terms } = this.paths;
    const here = terms.sum(32, [
      [this.start, 1n],
      [this.offset, 1n],
    ]);
    this.paths.require(terms.eq(pointer, here), `${what} is not where its bytes are`);
    this.domain.requireInput(pointer, length, `${what} is not within the input`);
    this.advance(length);
  }

  private advance(by: Term): void {
    this.offset = this.paths.terms.sum(32, [
      [this.offset, 1n],
      [by, 1n],
    ]);
  }

  private field(name: keyof typeof FIELDS, bytes: number): Term {
    return this.domain.peek(this.at + FIELDS[name], bytes);
  }

  private is(value: Term, expected: bigint): boolean {
    return this.paths.decide(this.paths.terms.eq(value, this.constant(expected, value.bits)));
  }

  private constant(value: bigint, bits: number): Term {
    return this.paths.terms.constant(value, bits);
  }
}

export class Parser {
  private readonly module: WasmModule;
  private readonly solver: Solver;
  private readonly layout: Layout;

  constructor(module: WasmModule, solver: Solver) {
    [this.module, this.solver, this.layout] = [module, solver, readLayout(module)];
  }

  /** The user's own transaction, of 1 to 2048 bytes, before what is linked to it is parsed. */
  proveTransaction(): ParserTally {
    const { layout, module } = this;
    const parseLinked = functionIndex(module, 'parseLinked');
    return this.explore((paths, { length, linkedLength, tally }) => {
      const domain = new SymbolicDomain(module, paths, regions(layout), { start: layout.payload, length });
      const { terms } = paths;
      this.setUp(domain, paths, length, linkedLength);
      domain.stubs.set(parseLinked, () => {
        tally.accesses += domain.accesses;
        if (paths.decide(domain.peek(layout.cursor + CURSOR.status, 4))) throw new PathEnds();
        tally.accepted++;
        const position = domain.peek(layout.cursor + CURSOR.position, 4);
        const end = terms.sum(32, [[length, 1n]], BigInt(layout.payload));
        paths.require(terms.eq(position, end), 'accepted before the end of the bytes');
        const start = terms.constant(BigInt(layout.payload), 32);
        const encoder = new Encoder(paths, domain, start, layout.transaction);
        encoder.writeTransaction();
        paths.require(terms.eq(encoder.offset, length), 'the fields are not all bytes');
        this.requireBounds(domain, paths);
        throw new PathEnds();
      });
      new Machine(module, domain).call(functionIndex(module, 'sign-tx/formItems'), []);
    });
  }

  /** What is linked to an accepted transaction of any type, of 0 to 2112 bytes. */
  proveLinked(): ParserTally {
    const { layout, module } = this;
    const at = (name: string) => functionIndex(module, name);
    return this.explore((paths, { length, linkedLength, tally }) => {
      const { terms } = paths;
      const total = terms.sum(32, [
        [length, 1n],
        [linkedLength, 1n],
      ]);
      const domain = new SymbolicDomain(module, paths, [...regions(layout)], {
        start: layout.payload,
        length: total,
      });
      this.setUp(domain, paths, length, linkedLength);
      const type = paths.fresh(32);
      const isSupported = [SEND_ZBC, APPROVAL_ESCROW, TRANSFER_TOKEN]
        .map(each => terms.eq(type, terms.constant(BigInt(each), 32)))
        .reduce((a, b) => terms.select(a, terms.truth(true), b));
      paths.assume(isSupported);
      domain.write(layout.transaction + FIELDS.type, type);
      const hashAt = paths.fresh(32);
      this.assumeWithin(paths, hashAt, length);
      domain.write(layout.transaction + FIELDS.escrowHash, hashAt);
      domain.write(layout.cursor + CURSOR.status, terms.constant(0n, 32));
      domain.stubs.set(at('sha3Update'), ([from, count]) => {
        domain.requireInput(from!, count!, 'hashed bytes are not within the input');
        return [];
      });
      domain.stubs.set(at('sha3Final'), ([to]) => {
        for (let i = 0; i < HASH_LENGTH; i++)
          domain.write(known(to!)! + BigInt(i), terms.symbol(`hash${i}`, 8));
        return [];
      });
      const start = terms.sum(32, [[length, 1n]], BigInt(layout.payload));
      const machine = new Machine(module, domain);
      machine.call(at('parseLinked'), [start, linkedLength]);
      tally.accesses += domain.accesses;
      if (paths.decide(domain.peek(layout.cursor + CURSOR.status, 4))) return;
      tally.accepted++;
      if (!paths.decide(terms.eq(type, terms.constant(BigInt(APPROVAL_ESCROW), 32)))) {
        paths.require(terms.not(linkedLength), 'linked bytes of a transaction that has none');
        return;
      }
      const encoder = new Encoder(paths, domain, start, layout.linked);
      encoder.writeTransaction();
      const unsigned = terms.sum(32, [[linkedLength, 1n]], -LINKED_SIGNATURE);
      paths.require(terms.eq(encoder.offset, unsigned), 'the fields are not all bytes but a signature');
    });
  }

  private explore(
    run: (paths: Paths, given: { length: Term; linkedLength: Term; tally: ParserTally }) => void,
  ): ParserTally {
    const paths = new Paths(this.solver);
    const tally = { paths: 0, accepted: 0, accesses: 0 };
    paths.explore(() => {
      const length = paths.fresh(32, 1n, BigInt(MAX_TRANSACTION));
      const linkedLength = paths.fresh(32, 0n, BigInt(MAX_LINKED));
      run(paths, { length, linkedLength, tally });
    });
    tally.paths = paths.count;
    return tally;
  }

  private setUp(domain: SymbolicDomain, paths: Paths, length: Term, linkedLength: Term): void {
    const { layout } = this;
    domain.write(layout.transactionLength, length);
    domain.write(layout.linkedLength, linkedLength);
    domain.write(
      layout.received,
      paths.terms.sum(32, [
        [length, 1n],
        [linkedLength, 1n],
      ]),
    );
  }

  /** What the screens and the linked transaction rely on. */
  private requireBounds(domain: SymbolicDomain, paths: Paths): void {
    const { terms } = paths;
    for (const [field, most] of [
      ['messageLength', MAX_MESSAGE],
      ['instructionLength', MAX_INSTRUCTION],
    ] as const) {
      if (
        field === 'instructionLength' &&
        !paths.decide(domain.peek(this.layout.transaction + FIELDS.hasEscrow, 1))
      )
        continue;
      const length = domain.peek(this.layout.transaction + FIELDS[field], 4);
      paths.require(
        terms.not(terms.less(terms.constant(BigInt(most), 32), length)),
        `${field} may be too large`,
      );
    }
  }

  private assumeWithin(paths: Paths, pointer: Term, length: Term): void {
    const { terms } = paths;
    const before = terms.sum(32, [[pointer, 1n]], -BigInt(this.layout.payload));
    const last = terms.sum(32, [[length, 1n]], -BigInt(HASH_LENGTH));
    paths.assume(terms.not(terms.less(length, terms.constant(BigInt(HASH_LENGTH), 32))));
    paths.assume(terms.not(terms.less(last, before)));
  }
}
