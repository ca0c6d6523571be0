// Proves the hashed and signed data, for every account, length and content. Hash functions, key derivation,
// scalars and points are uninterpreted functions. The data that a review keeps and the answer to an approval
// are compared, as terms of these functions, with RFC 8032 §5.1.6 and docs/TRANSACTION.md#signing-digest.
import { INS_GET_PUBLIC_KEY, INS_SIGN_MESSAGE, INS_SIGN_TX } from '@zbc-signer/protocol/commands';
import {
  ADDRESS_LENGTH,
  APDU_HEADER_LENGTH,
  CONTACT_LENGTH,
  HASH_LENGTH,
  MAX_LINKED,
  MAX_TRANSACTION,
  PUBLIC_KEY_LENGTH,
  SIGNATURE_LENGTH,
} from '@zbc-signer/protocol/limits';
import { L, littleEndian } from '../arithmetic/curve.js';
import { UnprovenClaim } from '../control.js';
import { readLayout as readHashes } from '../hashes/proof.js';
import { readLayout as readParser } from '../symbolic/layout.js';
import { PathEnd, Paths } from '../symbolic/paths.js';
import type { Solver } from '../symbolic/solver.js';
import { anything, constants, type Input, SymbolicDomain } from '../symbolic/symbolic-domain.js';
import { known, type Term } from '../symbolic/terms.js';
import { TextLoop } from '../symbolic/text-loop.js';
import { type Machine, Trap } from '../wasm/machine.js';
import { functionIndex, type Instruction, type WasmModule } from '../wasm/module.js';
import { type Message, Uninterpreted } from './uninterpreted.js';

const TAG = 'ZBC-TX';
const MEMORY = 65_536;
const [SHA512_SIZE, POINT] = [200, 160] as const;
/** Offsets in the scratch memory (firmware/assembly/crypto/scratch.ts). */
const [COMB_SUM, EXPANDED_KEY, VERIFY_POINT, SCRATCH_SIZE] = [1864, 1072, 2120, 2440] as const;
const [CLA_AT, INS_AT, DATA_AT] = [0, 4, 16] as const;
const CLA = 0xe0;
/** The result of `sign` for a valid signature. */
const SIGNED = 0x5a96c33c;
const REVIEW_OF_ADDRESS = 0x3c3c3c3cn;
const ACCOUNT_SIZE = 4 + PUBLIC_KEY_LENGTH;
const STATUS_AT = 20;
const STATUS_LENGTH = 2n;

/** Functions of verification, whose only result is whether to continue: each writes only temporaries. */
const VERIFICATION = [
  'decodeField',
  'squareField',
  'multiplyField',
  'subtractField',
  'addField',
  'encodeField',
]
  .concat(['raiseTo250Ones', 'squareRepeatedly', 'negateFieldIf', 'multiplyPoint', 'prepareMultiple'])
  .concat(['addMultiple']);

/** Finds addresses (firmware/assembly/session.ts). If one of them is wrong, the proof fails. */
export function readLayout(module: WasmModule) {
  const { scratch, sponge, key, constants } = readHashes(module);
  const { payload, transactionLength, received, ownAccount, cursor, account, genesis } = readParser(module);
  const answer = module.functions[functionIndex(module, 'commands/answer')]!.code;
  return {
    ...{ scratch, sponge, key, transactionLength, received, account, ownAccount, genesis, upload: payload },
    initial: constants[0]!.start,
    order: Buffer.from(module.memory).indexOf(littleEndian(L)),
    factor: Buffer.from(module.memory).indexOf(littleEndian(2n ** 512n % L)),
    reviewed: ownAccount + 40 + 2 * CONTACT_LENGTH,
    reply: payload + MAX_TRANSACTION + MAX_LINKED,
    status: cursor + STATUS_AT,
    command: Number(
      answer.find(({ op }, i) => op === 'i32.const' && answer[i + 1]!.op === 'i32.load')!.value,
    ),
  };
}

export type Layout = ReturnType<typeof readLayout>;

class SigningDomain extends SymbolicDomain {
  machine!: Machine<Term>;
  /** The loop over the bytes of a message; if undefined, any loop over the upload is allowed. */
  text: TextLoop | undefined;
  readonly #all: Paths;
  readonly #layout: Layout;
  /** Address and size of the last read of the upload. */
  #readAt: readonly [number, number] = [-1, -1];
  readonly #loops = new Set<Instruction>();

  constructor(module: WasmModule, paths: Paths, layout: Layout, message?: Input) {
    const { upload, reply, initial, order, factor } = layout;
    const fixed = [constants(initial, 64), constants(order, 32), constants(factor, 32)];
    const rest = [anything(0, upload), anything(reply, MEMORY - reply)];
    const [start, length] = [upload, reply - upload].map(each => paths.terms.constant(BigInt(each), 32));
    super(module, paths, [...fixed, ...rest], [message ?? { start: start!, length: length! }]);
    [this.#all, this.#layout] = [paths, layout];
  }

  isUpload(at: bigint | undefined): boolean {
    return at === undefined || (at >= this.#layout.upload && at < this.#layout.reply);
  }

  /** A read at a symbolic address gives an arbitrary value. */
  override load(op: string, address: Term, offset: number): Term {
    if (this.isUpload(known(address))) this.#readAt = this.machine.at;
    if (this.text && op === 'i32.load8_u' && known(address) === undefined)
      return this.#all.terms.extend(this.#all.terms.input(this.#all.terms.plus(address, offset)), 32);
    return known(address) === undefined
      ? this.#all.fresh(op.startsWith('i32') ? 32 : 64)
      : super.load(op, address, offset);
  }

  /** A loop over the upload continues once with arbitrary locals. This pass represents all passes. */
  again(code: readonly Instruction[], start: number, locals: Term[]): void {
    const loop = code[start]!;
    const [index, at] = this.#readAt;
    if (index !== this.machine.at[0] || at < start || at > loop.end) return;
    if (this.text) {
      this.text.pass(code.slice(start, loop.end), locals);
      return;
    }
    if (this.#loops.has(loop)) throw new PathEnd();
    this.#loops.add(loop);
    for (const { op, index: local } of code.slice(start, loop.end)) {
      if (/store|call|global.set|fill|copy/.test(op))
        throw new UnprovenClaim('a loop over the upload writes');
      if (/^local.(set|tee)$/.test(op)) locals[local] = this.#all.fresh(locals[local]!.bits);
    }
  }
}

/** One path: replaces calls, and computes the expected values. */
class SigningRun extends Uninterpreted<SigningDomain> {
  readonly #layout: Layout;
  #spoils = 0;

  constructor(module: WasmModule, paths: Paths, layout: Layout, message?: Input) {
    const domain = new SigningDomain(module, paths, layout, message);
    super(module, paths, domain);
    this.#layout = layout;
    domain.machine = this.machine;
    domain.write(layout.transactionLength, paths.fresh(32, 1n, BigInt(MAX_TRANSACTION)));
    domain.write(layout.received, paths.fresh(32, 1n, BigInt(MAX_TRANSACTION + MAX_LINKED)));
    this.#stubHashes();
    if (message) this.#stubArithmetic();
    else this.#stubKeys();
  }

  /** Registers a callback for calls of an uninterpreted function. */
  note(name: string, then: (parameters: Term[]) => void): void {
    const index = functionIndex(this.module, name);
    const stub = this.domain.stubs.get(index)!;
    this.domain.stubs.set(index, parameters => {
      const results = stub(parameters);
      then(parameters);
      return results;
    });
  }

  /** Runs a function; returns undefined if it traps. */
  override call(name: string, ...parameters: Term[]): Term | undefined {
    try {
      return super.call(name, ...parameters);
    } catch (error) {
      if (error instanceof Trap) return undefined;
      throw error;
    }
  }

  field(name: 'transactionLength' | 'received' | 'account'): Term {
    return this.domain.peek(this.#layout[name], 4);
  }

  /** Returns the bytes of the upload from its first one on. */
  uploaded(length: Term): Message {
    return [this.number(this.#layout.upload), length];
  }

  /** Returns the signing digest (docs/TRANSACTION.md#signing-digest). */
  digest(): Term[] {
    const tag = [...Buffer.from(TAG)].map(byte => this.paths.terms.constant(BigInt(byte), 8));
    const genesis = this.bytes(this.#layout.genesis, HASH_LENGTH);
    return this.sha3([...tag, ...genesis, ...this.uploaded(this.field('transactionLength'))]);
  }

  /** The kind and the public key of the account with an index. */
  account(index: Term): Term[] {
    return this.image('account', [index], ACCOUNT_SIZE);
  }

  /** The reply of GET_PUBLIC_KEY for an account: the public key and the address. */
  publicKey(account: readonly Term[]): Term[] {
    const key = account.slice(-PUBLIC_KEY_LENGTH);
    return [...key, ...this.image('address', key, ADDRESS_LENGTH)];
  }

  /** Returns the result of `sign` for the current account's key and a message. */
  signature(message: Message): Term[] {
    return this.image(
      'sign',
      [...this.image('key', [this.field('account')], 32), ...message],
      SIGNATURE_LENGTH,
    );
  }

  /**
   * Returns the signature of RFC 8032 §5.1.5 and §5.1.6. A multiplication modulo L consists of two Montgomery
   * multiplications, each of which divides by 2^256; the factor of the second one is 2^512.
   */
  ed25519(key: Message, message: Message): Term[] {
    const { terms } = this.paths;
    const expanded = this.image('SHA-512', key, 64);
    const changed = (byte: Term, and: bigint, or: bigint) => {
      const cut = terms.apply('i32.and', [terms.extend(byte, 32), terms.constant(and, 32)]);
      return terms.slice(or === 0n ? cut : terms.apply('i32.or', [cut, terms.constant(or, 32)]), 0, 8);
    };
    const a = [changed(expanded[0]!, 248n, 0n), ...expanded.slice(1, 31), changed(expanded[31]!, 127n, 64n)];
    const reduced = (of: Message) => this.image('mod L', this.image('SHA-512', of, 64), 32);
    const point = (scalar: readonly Term[]) => this.image('encode', this.image('B', scalar, POINT), 32);
    const nonce = reduced([...expanded.slice(32), ...message]);
    const challenge = reduced([...point(nonce), ...point(a), ...message]);
    const factor = this.bytes(this.#layout.factor, 32);
    const product = (x: readonly Term[], y: readonly Term[]) => this.image('by', [...x, ...y], 32);
    return [...point(nonce), ...this.image('+', [...nonce, ...product(a, product(challenge, factor))], 32)];
  }

  requireEqual(at: number, wanted: readonly Term[], what: string): void {
    if (this.bytes(at, wanted.length).some((byte, i) => byte !== wanted[i])) throw new UnprovenClaim(what);
  }

  /** Requires that verification continues to the public key exactly if S is below the group order. */
  requireOrder(bytes: readonly Term[], isTaken: boolean): void {
    const { terms } = this.paths;
    const isBelow = [0, 8, 16, 24].reduce((rest, at) => {
      const word = terms.join(bytes.slice(at, at + 8));
      const bound = terms.constant(L >> BigInt(8 * at), 64);
      return terms.select(
        terms.less(word, bound),
        terms.truth(true),
        terms.both(terms.eq(word, bound), rest),
      );
    }, terms.truth(false));
    this.paths.require(isTaken ? isBelow : terms.not(isBelow), 'S is compared with a wrong order');
  }

  /** Overwrites temporaries with arbitrary words. */
  #spoil(from: number, length: number): void {
    this.domain.write(from, this.paths.terms.symbol(`spoilt${this.#spoils++}`, 8 * length));
  }

  #stubHashes(): void {
    const { sponge, scratch, initial } = this.#layout;
    this.stubSha3(sponge, from => this.domain.isUpload(known(from)));
    const begin = [...this.bytes(initial, 64), ...this.zeros(8)];
    this.stub('sha512Update', (from, length) => {
      const state = this.bytes(scratch, SHA512_SIZE);
      const isNew = [...state.slice(0, 64), ...state.slice(192)].every((each, i) => each === begin[i]);
      const piece = this.piece(from!, length!, this.domain.isUpload(known(from!)));
      this.update('SHA-512 state', scratch, SHA512_SIZE, isNew, piece);
    });
    this.stub('sha512Final', out => {
      const hash = this.image('SHA-512', this.given('SHA-512 state', this.bytes(scratch, SHA512_SIZE)), 64);
      this.#spoil(scratch, SHA512_SIZE);
      this.put(Number(known(out!)), hash);
    });
  }

  #stubArithmetic(): void {
    const { scratch } = this.#layout;
    const spoilTemporaries = () => {
      this.#spoil(scratch, EXPANDED_KEY);
      this.#spoil(scratch + VERIFY_POINT, SCRATCH_SIZE - VERIFY_POINT);
    };
    const make = (name: string, out: Term, sizes: number[], of: Term[], length: number) => {
      const arguments_ = of.flatMap((at, i) => this.bytes(Number(known(at)), sizes[i]!));
      spoilTemporaries();
      this.put(Number(known(out)), this.image(name, arguments_, length));
    };
    const sum = this.number(scratch + COMB_SUM);
    this.stub('multiplyBase', scalar => make('B', sum, [32], [scalar!], POINT));
    this.stub('encodePoint', out => make('encode', out!, [POINT], [sum], 32));
    this.stub('reduceScalar', (out, wide) => make('mod L', out!, [64], [wide!], 32));
    this.stub('multiplyMontgomery', (out, a, b) => make('by', out!, [32, 32], [a!, b!], 32));
    this.stub('addScalar', (out, a, b) => make('+', out!, [32, 32], [a!, b!], 32));
    for (const name of VERIFICATION) this.stub(name, spoilTemporaries);
    for (const name of ['isZeroField', 'hasSmallOrder'])
      this.stub(name, () => {
        spoilTemporaries();
        return this.any();
      });
  }

  /** Derivation is an arbitrary function of the account's index, and the seed may be missing. */
  #stubKeys(): void {
    const { key, reply } = this.#layout;
    this.stub('crypto/sign', (from, length) => {
      const piece = this.piece(from!, length!, this.domain.isUpload(known(from!)));
      const isSigned = this.paths.decide(this.any());
      const signature = this.image('sign', [...this.bytes(key, 32), ...piece], SIGNATURE_LENGTH);
      this.put(reply, isSigned ? signature : this.zeros(SIGNATURE_LENGTH));
      return isSigned ? this.number(SIGNED) : this.paths.fresh(32, 0n, BigInt(SIGNED - 1));
    });
    this.stub('openKey', index => {
      const isGiven = this.any();
      if (this.paths.decide(isGiven)) this.put(key, this.image('key', [index!], 32));
      return isGiven;
    });
    this.stub('deriveAccount', (out, index) => {
      this.put(Number(known(out!)), this.account(index!));
      return this.any();
    });
    this.stub('formatAddress', (out, of) => {
      const key = this.bytes(Number(known(of!)), PUBLIC_KEY_LENGTH);
      this.put(Number(known(out!)), this.image('address', key, ADDRESS_LENGTH));
    });
    for (const name of ['sign-tx/formItems', 'sign-message/formItems', 'get-public-key/formItems'])
      this.stub(name, () => {
        this.domain.write(this.#layout.status, this.paths.fresh(32));
      });
  }
}

export class SigningProof {
  paths = 0;
  /** Numbers of signatures and reviews reached on some path. */
  signatures = 0;
  reviews = 0;
  approvals = 0;
  readonly #module: WasmModule;
  readonly #layout: Layout;
  readonly #solver: Solver;

  constructor(module: WasmModule, layout: Layout, solver: Solver) {
    [this.#module, this.#layout, this.#solver] = [module, layout, solver];
  }

  /** Proves that a review keeps the digest of its transaction, or the hash of its message, which is text. */
  proveReviews(): void {
    for (const ins of [INS_SIGN_TX, INS_SIGN_MESSAGE])
      this.#explore(run => {
        run.domain.write(this.#layout.command + CLA_AT, run.number(CLA));
        run.domain.write(this.#layout.command + INS_AT, run.number(ins));
        for (const name of ['receiveChunk', 'refuseUnknownChain', 'answerTransactionHeader', 'hal.locked'])
          run.stub(name, () => run.any());
        const [start, length] = run.uploaded(run.field('received')) as [Term, Term];
        if (ins === INS_SIGN_MESSAGE) run.domain.text = new TextLoop(run.paths, { start, length });
        run.stub('openReview', review => {
          if (run.domain.text?.isText() === false) throw new UnprovenClaim('a message is not text');
          if (known(review!) === REVIEW_OF_ADDRESS)
            throw new UnprovenClaim('a review of an address is opened');
          const wanted = ins === INS_SIGN_TX ? run.digest() : run.sha3(run.uploaded(run.field('received')));
          run.requireEqual(this.#layout.reviewed, wanted, 'the review keeps a wrong hash');
          this.reviews++;
          throw new PathEnd();
        });
        run.call('commands/answer');
      });
  }

  /**
   * Proves the reply and the review of GET_PUBLIC_KEY: they are those of the account whose index the command
   * names. A review shows the address of the account that is kept.
   */
  proveAddress(): void {
    const { command, reply, account, ownAccount } = this.#layout;
    this.#explore(run => {
      const data = reply + APDU_HEADER_LENGTH;
      for (const [at, value] of [
        [CLA_AT, CLA],
        [INS_AT, INS_GET_PUBLIC_KEY],
        [DATA_AT, data],
      ] as const)
        run.domain.write(command + at, run.number(value));
      const index = run.domain.peek(data, 4);
      run.stub('openReview', () => {
        run.requireEqual(ownAccount, run.account(index), 'the address of another account is shown');
        if (run.field('account') !== index) throw new UnprovenClaim('a review keeps another index');
        this.reviews++;
        throw new PathEnd();
      });
      const answer = run.call('commands/answer');
      if (!answer || known(answer) === STATUS_LENGTH) return;
      run.requireEqual(reply, run.publicKey(run.account(index)), 'the key of another account is returned');
      this.approvals++;
    });
    this.#approve('answerApprovedAddress', run => {
      const { paths } = run;
      const shown = run.bytes(ownAccount, ACCOUNT_SIZE);
      run.requireEqual(reply, run.publicKey(shown), 'another key than that of the shown address is returned');
      const kept = run.account(run.domain.peek(account, 4));
      for (const [i, byte] of shown.entries())
        paths.require(paths.terms.eq(byte, kept[i]!), 'the account of another index is returned');
    });
  }

  /**
   * Proves `sign`: it writes the signature of any message by any key, or zeros. Its check accepts only an S
   * below the order.
   */
  proveSign(): void {
    const { key, reply, scratch } = this.#layout;
    const message = (paths: Paths) => ({
      start: paths.fresh(32, 0n, BigInt(MEMORY)),
      length: paths.fresh(32, 0n, BigInt(MAX_TRANSACTION)),
    });
    this.#explore((run, given) => {
      const wanted = run.ed25519(run.bytes(key, 32), [given!.start, given!.length]);
      let made: Term[] | undefined;
      let isTaken = false;
      run.note('addScalar', ([out]) => {
        made = run.bytes(Number(known(out!)), 32);
      });
      run.note('decodeField', () => {
        isTaken = true;
      });
      const outcome = run.call('crypto/sign', given!.start, given!.length);
      if (made) run.requireOrder(made, isTaken);
      run.requireEqual(scratch, run.zeros(SCRATCH_SIZE), 'scratch memory is not cleared');
      if (known(outcome!) === BigInt(SIGNED)) {
        run.requireEqual(reply, wanted.slice(0, 32), 'R belongs to another nonce');
        run.requireEqual(reply, wanted, 'S belongs to another nonce, challenge or key');
        this.signatures++;
      } else
        run.requireEqual(
          reply,
          run.zeros(SIGNATURE_LENGTH),
          'the reply is not cleared although nothing is signed',
        );
    }, message);
  }

  /** Proves the answer for a transaction: the signature of its digest, and the transaction hash. */
  proveTransaction(): void {
    this.#approve('answerApprovedTransaction', run => {
      const signature = run.signature(run.digest());
      const hash = run.sha3([...run.uploaded(run.field('transactionLength')), ...signature]);
      run.requireEqual(this.#layout.reply, signature, 'wrong bytes are signed');
      run.requireEqual(
        this.#layout.reply + SIGNATURE_LENGTH,
        hash,
        'the transaction hash covers wrong bytes',
      );
    });
  }

  /** Proves the answer for a message: the signature of all received bytes. */
  proveMessage(): void {
    this.#approve('answerApprovedMessage', run => {
      const signature = run.signature(run.uploaded(run.field('received')));
      run.requireEqual(this.#layout.reply, signature, 'wrong bytes are signed');
    });
  }

  /** Requires a property of every answer except a bare status word. */
  #approve(name: string, require: (run: SigningRun) => void): void {
    this.#explore(run => {
      const reply = run.call(name);
      if (!reply || known(reply) === STATUS_LENGTH) return;
      require(run);
      this.approvals++;
    });
  }

  #explore(prove: (run: SigningRun, given?: Input) => void, message?: (paths: Paths) => Input): void {
    const paths = new Paths(this.#solver);
    paths.explore(() => {
      const given = message?.(paths);
      prove(new SigningRun(this.#module, paths, this.#layout, given), given);
    });
    this.paths += paths.count;
  }
}
