// Encodes the fields of an accepted transaction again, and compares the result with its bytes.
import { APPROVAL_ESCROW, SEND_ZBC, TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';
import { FIELDS, HASH_LENGTH, PAYLOAD, PAYLOAD_LENGTH } from './layout.js';
import type { Paths } from './paths.js';
import type { SymbolicDomain } from './symbolic-domain.js';
import { known, type Term } from './terms.js';

const PUBLIC_KEY_LENGTH = 32;
const KIND_NONE = 2n;
const FEE_IN_TOKEN_ABSENT = 2n;

export class Encoder {
  /** Number of bytes written. */
  offset: Term;
  readonly #paths: Paths;
  readonly #domain: SymbolicDomain;
  readonly #start: Term;
  readonly #at: number;

  constructor(paths: Paths, domain: SymbolicDomain, start: Term, at: number) {
    [this.#paths, this.#domain, this.#start, this.#at] = [paths, domain, start, at];
    this.offset = paths.terms.constant(0n, 32);
  }

  writeTransaction(): void {
    const type = this.#field('type', 4);
    this.#word(type, 'type');
    this.#word(this.#constant(1n, 8), 'version');
    this.#word(this.#field('timestamp', 8), 'timestamp');
    this.#account(FIELDS.sender, PUBLIC_KEY_LENGTH, 'sender');
    const length = known(this.#domain.peek(this.#at + FIELDS.recipient + PAYLOAD_LENGTH, 4));
    this.#account(FIELDS.recipient, Number(length), 'recipient');
    this.#word(this.#field('fee', 8), 'fee');
    this.#body(type);
    this.#escrow();
    this.#text('message', 'messageLength');
  }

  #body(type: Term): void {
    if (this.#is(type, BigInt(SEND_ZBC))) {
      this.#word(this.#constant(8n, 32), 'length of the body');
      this.#word(this.#field('amount', 8), 'amount');
    } else if (this.#is(type, BigInt(APPROVAL_ESCROW))) {
      this.#word(this.#constant(36n, 32), 'length of the body');
      this.#word(this.#field('approval', 4), 'approval');
      this.#bytes(this.#field('escrowHash', 4), this.#constant(BigInt(HASH_LENGTH), 32), 'hash');
    } else {
      this.#paths.require(this.#paths.terms.eq(type, this.#constant(BigInt(TRANSFER_TOKEN), 32)), 'type');
      const fee = this.#field('feeInToken', 4);
      const isAbsent = this.#is(fee, FEE_IN_TOKEN_ABSENT);
      this.#word(this.#constant(isAbsent ? 16n : 17n, 32), 'length of the body');
      this.#word(this.#field('tokenId', 8), 'token');
      this.#word(this.#field('amount', 8), 'amount');
      if (!isAbsent) this.#word(this.#paths.terms.slice(fee, 0, 8), 'fee in token');
    }
  }

  #escrow(): void {
    if (!this.#paths.decide(this.#field('hasEscrow', 1))) {
      this.#word(this.#constant(KIND_NONE, 32), 'escrow');
      return;
    }
    this.#account(FIELDS.approver, PUBLIC_KEY_LENGTH, 'approver');
    this.#word(this.#field('commission', 8), 'commission');
    this.#word(this.#field('timeout', 8), 'timeout');
    this.#text('instruction', 'instructionLength');
    const { terms } = this.#paths;
    const flag = terms.select(this.#field('multiParty', 1), this.#constant(1n, 8), this.#constant(0n, 8));
    this.#word(flag, 'multi-party');
  }

  /** Requires an account to be the user's own, whose bytes are at `own`. */
  requireOwn(account: 'sender' | 'approver', own: number): void {
    const { terms } = this.#paths;
    const at = this.#at + FIELDS[account];
    const pointer = this.#domain.peek(at + PAYLOAD, 4);
    const kindIsOwn = terms.eq(this.#domain.peek(at, 4), this.#domain.peek(own, 4));
    const isOwn = terms
      .inputs(pointer, PUBLIC_KEY_LENGTH)
      .map((byte, i) => terms.eq(byte, this.#domain.peek(own + 4 + i, 1)))
      .reduce((a, b) => terms.both(a, b), kindIsOwn);
    this.#paths.require(isOwn, `the ${account} is not the user's own account`);
  }

  #account(offset: number, length: number, what: string): void {
    this.#word(this.#domain.peek(this.#at + offset, 4), `kind of the ${what}`);
    const payload = this.#domain.peek(this.#at + offset + PAYLOAD, 4);
    this.#bytes(payload, this.#constant(BigInt(length), 32), what);
  }

  #text(pointer: keyof typeof FIELDS, length: keyof typeof FIELDS): void {
    const count = this.#field(length, 4);
    this.#word(count, length);
    this.#bytes(this.#field(pointer, 4), count, pointer);
  }

  /** Requires the next bytes to encode a number that was parsed. */
  #word(value: Term, what: string): void {
    const { terms } = this.#paths;
    const bytes = terms.inputs(this.#here, value.bits / 8);
    this.#paths.require(terms.eq(terms.join(bytes), value), `${what} does not match the bytes`);
    this.#advance(this.#constant(BigInt(bytes.length), 32));
  }

  /** Requires a pointer of the transaction to refer to the bytes at the current position. */
  #bytes(pointer: Term, length: Term, what: string): void {
    const { terms } = this.#paths;
    this.#paths.require(terms.eq(pointer, this.#here), `${what} does not point to its bytes`);
    this.#domain.requireInput(pointer, length, `${what} is not within the input`);
    this.#advance(length);
  }

  #advance(by: Term): void {
    this.offset = this.#paths.terms.plus(this.offset, by);
  }

  get #here(): Term {
    return this.#paths.terms.plus(this.#start, this.offset);
  }

  #field(name: keyof typeof FIELDS, bytes: number): Term {
    return this.#domain.peek(this.#at + FIELDS[name], bytes);
  }

  #is(value: Term, expected: bigint): boolean {
    return this.#paths.decide(this.#paths.terms.eq(value, this.#constant(expected, value.bits)));
  }

  #constant(value: bigint, bits: number): Term {
    return this.#paths.terms.constant(value, bits);
  }
}
