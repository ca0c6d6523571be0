// Proves the hashed and signed data, for every account, length and content. Hash functions, key derivation,
// scalars and points are uninterpreted functions. The data that a review keeps and the answer to an approval
// are compared, as terms of these functions, with RFC 8032 §5.1.6 and docs/TRANSACTION.md#signing-digest. The same
// holds for the proofs of contacts, whose HMAC is an uninterpreted function too, and for signatures with a commitment
// with docs/APDU.md#signatures-without-hidden-data.
import { ACCOUNT_KINDS, KIND_NONE } from '@zbc-signer/chain';
import {
  INS_GET_PUBLIC_KEY,
  INS_REGISTER_CONTACT,
  INS_SIGN_MESSAGE,
  INS_SIGN_TX,
  P1_REVEAL,
  P2_APPROVER_CONTACT,
  P2_COMMITMENT,
  P2_RECIPIENT_CONTACT,
} from '@zbc-signer/protocol/commands';
import {
  ADDRESS_LENGTH,
  APDU_HEADER_LENGTH,
  COMMITMENT_LENGTH,
  CONTACT_LENGTH,
  CONTACT_NAME_LENGTH,
  CONTACT_PROOF_LENGTH,
  HASH_LENGTH,
  MAX_CHUNK,
  MAX_LINKED,
  MAX_TRANSACTION,
  NONCE_POINT_LENGTH,
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
const CONTACT_TAG = 'ZBC-CONTACT\x01';
const NONCE_TAG = '\xffZBC-ANTI-EXFIL';
const MEMORY = 65_536;
const [SHA512_SIZE, POINT] = [200, 160] as const;
/** Offsets in the scratch memory (firmware/assembly/crypto/scratch.ts). */
const [COMB_SUM, EXPANDED_KEY, VERIFY_POINT, SCRATCH_SIZE] = [1864, 1072, 2120, 2440] as const;
const VERIFY_SUM = VERIFY_POINT + POINT;
const SIGNATURE_S = VERIFY_POINT - 32;
const NODE = 968;
const COMB_TABLE = 3 * 16 * 96;
const [CLA_AT, INS_AT, P1_AT, P2_AT, DATA_AT] = [0, 4, 8, 12, 16] as const;
/** Offsets in a command of its length, and of whether another channel has what it must not change. */
const [LENGTH_AT, ASIDE_AT] = [20, 28] as const;
/** Offsets in the data of REGISTER_CONTACT. */
const [NAME_AT, KIND_AT, PAYLOAD_AT] = [HASH_LENGTH, 56, 60] as const;
/** An account in memory that no code uses, and its bytes. */
const [ACCOUNT_AT, WIRE_AT] = [60_064, 60_000] as const;
/** Offsets in an account (firmware/assembly/transaction/account.ts). */
const [PAYLOAD, LENGTH, NAME, NAME_LENGTH] = [4, 8, 12, 16] as const;
/** Length of a refusal with its detail, and the position of the reason. */
const [REFUSAL_LENGTH, REASON_AT] = [6n, 3] as const;
const CONTACT_PROOF = 40n;
const CLA = 0xe0;
const [OK, BOTH] = [0x9000, 3] as const;
/** Values of a session's state (firmware/assembly/handlers/review.ts). */
const [REVIEW_OF_TRANSACTION, REVIEW_OF_MESSAGE, AWAITS_REVEAL] = [
  0x5a5a5a5a, 0x66666666, 0x33333333,
] as const;
const REVIEW_OF_ADDRESS = 0x3c3c3c3cn;
const ACCOUNT_SIZE = 4 + PUBLIC_KEY_LENGTH;
/** Number of bytes of a token's decimals and symbol. */
const TOKEN_HINT = 32;
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
  const { payload, transactionLength, received, ownAccount, cursor, account, genesis, kinds } =
    readParser(module);
  const checkAccount = module.functions[functionIndex(module, 'checkAccount')]!.code;
  const answer = module.functions[functionIndex(module, 'commands/answer')]!.code;
  return {
    ...{ scratch, sponge, key, transactionLength, received, account, ownAccount, genesis, upload: payload },
    initial: constants[0]!.start,
    order: Buffer.from(module.memory).indexOf(littleEndian(L)),
    factor: Buffer.from(module.memory).indexOf(littleEndian(2n ** 512n % L)),
    kinds,
    reviewed: ownAccount + 40,
    /** The commitment of the header, or R0. */
    commitment: ownAccount + 40 + HASH_LENGTH,
    contacts: ownAccount + 40 + HASH_LENGTH + COMMITMENT_LENGTH + TOKEN_HINT,
    /** The state of the session, and the instruction of its upload or REVEAL. */
    reviewing: account - 4,
    awaited: received - 8,
    /** The options of the header; and the setting `Contacts only`. */
    given: transactionLength + 12,
    setting: Number(checkAccount[checkAccount.findIndex(({ op }) => op === 'i32.load8_u') - 1]!.value),
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
    const { upload, reply, initial, order, factor, kinds } = layout;
    const fixed = [
      constants(initial, 64),
      // The comb's table, which is summed, is before the order.
      constants(order - COMB_TABLE, COMB_TABLE + 32),
      constants(factor, 32),
      constants(kinds, ACCOUNT_KINDS.length),
    ];
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

  /** Erases the data of a command, whose length is unknown: the bytes there are then arbitrary. */
  override fill(to: Term, value: Term, length: Term): void {
    if (known(length) !== undefined) {
      super.fill(to, value, length);
      return;
    }
    this.#all.require(this.#all.terms.less(length, this.#all.terms.constant(256n, 32)), 'a fill is too long');
    for (let i = 0; i < MAX_CHUNK; i++) this.write(Number(known(to)) + i, this.#all.fresh(8));
  }

  /** Copies a commitment, or nothing. */
  override copy(to: Term, from: Term, length: Term): void {
    const { terms } = this.#all;
    const lengths = [0n, BigInt(COMMITMENT_LENGTH)].map(each => terms.constant(each, 32));
    const isFixed = known(length) !== undefined;
    const found = isFixed ? length : lengths.find(each => this.#all.decide(terms.eq(length, each)));
    super.copy(to, from, found ?? length);
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
  /** Whether the platform had a seed when the last proof was computed. */
  isSeedGiven: Term | undefined;
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

  /**
   * Returns the first half of the HMAC under the key of contacts, for a genesis hash, a name and an account at
   * these addresses (docs/APDU.md#register_contact).
   */
  contactProof(genesis: number, name: number, account: number, length: number): Term[] {
    const tag = [...Buffer.from(CONTACT_TAG)].map(byte => this.paths.terms.constant(BigInt(byte), 8));
    const named = [...this.bytes(genesis, HASH_LENGTH), ...this.bytes(name, CONTACT_NAME_LENGTH)];
    const message = [...tag, ...named, ...this.bytes(account, length)];
    return this.image('contact HMAC', message, 64).slice(0, CONTACT_PROOF_LENGTH);
  }

  areEqual(a: readonly Term[], b: readonly Term[]): Term {
    const { terms } = this.paths;
    return a.map((each, i) => terms.eq(each, b[i]!)).reduce((all, each) => terms.both(all, each));
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

  /** Returns the signature of a message with the current account's key; `kind` is the function that makes it. */
  signature(message: Message, kind: 'sign' | 'reveal' = 'sign'): Term[] {
    return this.image(
      kind,
      [...this.image('key', [this.field('account')], 32), ...message],
      SIGNATURE_LENGTH,
    );
  }

  /**
   * Returns the signature of RFC 8032 §5.1.5 and §5.1.6. A multiplication modulo L consists of two Montgomery
   * multiplications, each of which divides by 2^256; the factor of the second one is 2^512.
   */
  ed25519(key: Message, message: Message): Term[] {
    const expanded = this.image('SHA-512', key, 64);
    return this.#signature(expanded, this.#reduced([...expanded.slice(32), ...message]), message);
  }

  /** Returns R0 for a commitment, as 32 bytes (docs/APDU.md#signatures-without-hidden-data). */
  noncePoint(key: Message, commitment: Message, message: Message): Term[] {
    return this.#point(this.#ownNonce(key, commitment, message));
  }

  /** Returns the signature to whose nonce the revealed bytes contribute. */
  revealed(key: Message, revealed: Message, message: Message): Term[] {
    const own = this.#ownNonce(key, this.sha3(revealed), message);
    const tweak = this.#reduced([...this.#tag(1), ...this.#point(own), ...revealed]);
    const nonce = this.image('+', [...own, ...tweak], 32);
    return this.#signature(this.image('SHA-512', key, 64), nonce, message);
  }

  #ownNonce(key: Message, commitment: Message, message: Message): Term[] {
    const prefix = this.image('SHA-512', key, 64).slice(32);
    return this.#reduced([...prefix, ...this.#tag(0), ...commitment, ...message]);
  }

  #tag(part: number): Term[] {
    const tag = [...Buffer.from(NONCE_TAG, 'latin1'), part];
    return tag.map(byte => this.paths.terms.constant(BigInt(byte), 8));
  }

  #reduced(of: Message): Term[] {
    return this.image('mod L', this.image('SHA-512', of, 64), 32);
  }

  #point(scalar: readonly Term[]): Term[] {
    return this.image('encode', this.image('B', scalar, POINT), 32);
  }

  #signature(expanded: readonly Term[], nonce: readonly Term[], message: Message): Term[] {
    const { terms } = this.paths;
    const changed = (byte: Term, and: bigint, or: bigint) => {
      const cut = terms.apply('i32.and', [terms.extend(byte, 32), terms.constant(and, 32)]);
      return terms.slice(or === 0n ? cut : terms.apply('i32.or', [cut, terms.constant(or, 32)]), 0, 8);
    };
    const a = [changed(expanded[0]!, 248n, 0n), ...expanded.slice(1, 31), changed(expanded[31]!, 127n, 64n)];
    const challenge = this.#reduced([...this.#point(nonce), ...this.#point(a), ...message]);
    const factor = this.bytes(this.#layout.factor, 32);
    const product = (x: readonly Term[], y: readonly Term[]) => this.image('by', [...x, ...y], 32);
    return [
      ...this.#point(nonce),
      ...this.image('+', [...nonce, ...product(a, product(challenge, factor))], 32),
    ];
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
    this.stub('openKey', () => this.number(1));
    // Until the verification, the parts of a nonce lie in the memory of −A.
    let isVerifying = false;
    const spoilTemporaries = () => {
      this.#spoil(scratch, EXPANDED_KEY);
      const from = isVerifying ? VERIFY_POINT : VERIFY_SUM;
      this.#spoil(scratch + from, SCRATCH_SIZE - from);
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
    for (const name of VERIFICATION)
      this.stub(name, () => {
        isVerifying = true;
        spoilTemporaries();
      });
    for (const name of ['isZeroField', 'hasSmallOrder'])
      this.stub(name, () => {
        spoilTemporaries();
        return this.any();
      });
  }

  /** Derivation is an arbitrary function of the account's index, and the seed may be missing. */
  #stubKeys(): void {
    const { key, reply, scratch, contacts } = this.#layout;
    this.stub('signAs', (index, from, length) => {
      const piece = this.piece(from!, length!, this.domain.isUpload(known(from!)));
      const isSigned = this.paths.decide(this.any());
      const signature = this.image('sign', [...this.image('key', [index!], 32), ...piece], SIGNATURE_LENGTH);
      this.put(reply, isSigned ? signature : this.zeros(SIGNATURE_LENGTH));
      return isSigned ? this.number(OK) : this.paths.fresh(32, 0n, BigInt(OK - 1));
    });
    for (const name of ['signWith', 'answerCommitted'])
      this.stub(name, () => {
        throw new PathEnd();
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
    this.stub('hal.seed', () => {
      this.isSeedGiven = this.any();
      return this.isSeedGiven;
    });
    this.stub('computeContactHmac', length => {
      const message = this.bytes(reply, Number(known(length!)));
      this.put(scratch + NODE, this.image('contact HMAC', message, 64));
    });
    this.stub('register-contact/formItems', () => {
      this.call('register-contact/open', this.number(contacts), this.number(contacts + CONTACT_NAME_LENGTH));
    });
    this.stub('contact/nameLength', () => this.paths.fresh(32, 0n, BigInt(CONTACT_NAME_LENGTH)));
    for (const name of ['sign-tx/formItems', 'sign-message/formItems', 'get-public-key/formItems'])
      this.stub(name, () => {
        this.domain.write(this.#layout.status, this.paths.fresh(32));
      });
  }
}

/** A message anywhere in memory. */
const anyMessage = (paths: Paths): Input => ({
  start: paths.fresh(32, 0n, BigInt(MEMORY)),
  length: paths.fresh(32, 0n, BigInt(MAX_TRANSACTION)),
});

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
        this.#giveData(run);
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

  /** Lets the command have any data, behind its header in the buffer. */
  #giveData(run: SigningRun): void {
    const { command, reply } = this.#layout;
    run.domain.write(command + DATA_AT, run.number(reply + APDU_HEADER_LENGTH));
    run.domain.write(command + LENGTH_AT, run.paths.fresh(32, 0n, BigInt(MAX_CHUNK)));
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
   * Proves `signAs`: it writes the signature of any message by any key, or zeros. Its check accepts only an S
   * below the order.
   */
  proveSign(): void {
    const { key, reply } = this.#layout;
    this.#explore((run, { start, length }) => {
      const wanted = run.ed25519(run.bytes(key, 32), [start, length]);
      const outcome = this.#sign(run, () => run.call('signAs', run.paths.fresh(32), start, length));
      if (outcome === BigInt(OK)) {
        this.#requireSignature(run, wanted);
      } else
        run.requireEqual(
          reply,
          run.zeros(SIGNATURE_LENGTH),
          'the reply is not cleared although nothing is signed',
        );
    }, anyMessage);
  }

  /** Runs a signing function. Its check of S must be right, and its secrets must be cleared. */
  #sign(run: SigningRun, sign: () => Term | undefined): bigint | undefined {
    const { key, scratch } = this.#layout;
    let made: Term[] | undefined;
    let isTaken = false;
    run.note('addScalar', ([out]) => {
      if (Number(known(out!)) === scratch + SIGNATURE_S) made = run.bytes(scratch + SIGNATURE_S, 32);
    });
    run.note('decodeField', () => {
      isTaken = true;
    });
    const outcome = known(sign()!);
    if (made) run.requireOrder(made, isTaken);
    run.requireEqual(scratch, run.zeros(SCRATCH_SIZE), 'scratch memory is not cleared');
    run.requireEqual(key, run.zeros(32), 'the key is not cleared');
    return outcome;
  }

  #requireSignature(run: SigningRun, wanted: readonly Term[]): void {
    run.requireEqual(this.#layout.reply, wanted.slice(0, 32), 'R belongs to another nonce');
    run.requireEqual(this.#layout.reply, wanted, 'S belongs to another nonce, challenge or key');
    this.signatures++;
  }

  /**
   * Proves the reply to an approval with a commitment, for any key, commitment and message: it is R0, which takes the
   * place of the commitment. The session then waits for REVEAL of this instruction.
   */
  proveCommit(): void {
    const { key, reply, commitment, reviewing, awaited } = this.#layout;
    this.#explore((run, { start, length }) => {
      const wanted = run.noncePoint(run.bytes(key, 32), run.bytes(commitment, COMMITMENT_LENGTH), [
        start,
        length,
      ]);
      const answer = this.#sign(run, () =>
        run.call('answerCommitted', run.number(INS_SIGN_TX), start, length),
      );
      if (answer === STATUS_LENGTH) {
        run.requireEqual(reply + 2, run.zeros(SIGNATURE_LENGTH - 2), 'the reply is not cleared');
        return;
      }
      if (answer !== BigInt(NONCE_POINT_LENGTH) + STATUS_LENGTH)
        throw new UnprovenClaim('the reply to an approval has another length than R0');
      run.requireEqual(reply, wanted, 'R0 belongs to another nonce');
      run.requireEqual(commitment, wanted, 'another R0 is kept than the given one');
      const state = [reviewing, awaited].map(at => Number(known(run.domain.peek(at, 4))));
      if (state[0] !== AWAITS_REVEAL || state[1] !== INS_SIGN_TX)
        throw new UnprovenClaim('the session does not wait for REVEAL');
      this.approvals++;
    }, anyMessage);
  }

  /**
   * Proves the signature of REVEAL, for any key, message and revealed bytes: both parts of its nonce are made of the
   * bytes of this command, and R0 of these bytes is the given one. Otherwise nothing is released, and the bytes are
   * erased.
   */
  proveReveal(): void {
    const { key, reply, command, commitment } = this.#layout;
    const data = reply + APDU_HEADER_LENGTH;
    this.#explore((run, { start, length }) => {
      run.domain.write(command + DATA_AT, run.number(data));
      run.domain.write(command + LENGTH_AT, run.number(COMMITMENT_LENGTH));
      const [revealed, point] = [data, commitment].map(at => run.bytes(at, 32)) as [Term[], Term[]];
      const secret = run.bytes(key, 32);
      const wanted = run.revealed(secret, revealed, [start, length]);
      const right = run.noncePoint(secret, run.sha3(revealed), [start, length]);
      const isCommitted = run.areEqual(right, point);
      const answer = this.#sign(run, () => run.call('signWith', start, length));
      if (answer === 0n) {
        this.#requireSignature(run, wanted);
        run.paths.require(isCommitted, 'bytes of another commitment are signed with');
        return;
      }
      const rest = Number(answer);
      run.requireEqual(reply + rest, run.zeros(SIGNATURE_LENGTH - rest), 'the reply is not cleared');
      if (run.bytes(reply, rest).some(byte => known(byte) === undefined))
        throw new UnprovenClaim('a refusal of REVEAL is not constant');
    }, anyMessage);
  }

  /**
   * Proves when REVEAL signs: once, on the channel that waits for it, for the bytes whose hash the review kept. The
   * reply to a transaction has its hash.
   */
  proveOpening(): void {
    for (const ins of [INS_SIGN_TX, INS_SIGN_MESSAGE]) this.#explore(run => this.#open(run, ins));
  }

  #open(run: SigningRun, ins: number): void {
    const { command, reply, reviewed, reviewing, awaited } = this.#layout;
    const { domain, paths } = run;
    const { terms } = paths;
    for (const [at, value] of [
      [CLA_AT, CLA],
      [INS_AT, ins],
      [P1_AT, P1_REVEAL],
      [P2_AT, 0],
    ] as const)
      domain.write(command + at, run.number(value));
    this.#giveData(run);
    const length = domain.peek(command + LENGTH_AT, 4);
    const isAside = domain.peek(command + ASIDE_AT, 1);
    const state = domain.peek(reviewing, 4);
    const isTransaction = ins === INS_SIGN_TX;
    const message = isTransaction ? run.digest() : run.uploaded(run.field('received'));
    const hash = isTransaction ? message : run.sha3(message);
    const isKept = run.areEqual(hash as Term[], run.bytes(reviewed, HASH_LENGTH));
    const signature = run.signature(message, 'reveal');
    const written = run.uploaded(run.field('transactionLength'));
    let isSigned = false;
    run.stub('signWith', (from, count) => {
      const given = run.piece(from!, count!, domain.isUpload(known(from!)));
      if (given.length !== message.length || given.some((term, i) => term !== message[i]))
        throw new UnprovenClaim('REVEAL signs other bytes');
      const conditions = [
        isKept,
        terms.eq(state, run.number(AWAITS_REVEAL)),
        terms.eq(length, run.number(COMMITMENT_LENGTH)),
        terms.eq(isAside, terms.constant(0n, 8)),
        terms.eq(domain.peek(awaited, 4), run.number(0)),
      ];
      for (const condition of conditions) paths.require(condition, 'REVEAL signs what does not wait for it');
      isSigned = paths.decide(run.any());
      if (isSigned) run.put(reply, signature);
      return run.number(isSigned ? 0 : 6);
    });
    run.call('commands/answer');
    if (!isSigned) return;
    run.requireEqual(reply, signature, 'another signature is released');
    if (isTransaction)
      run.requireEqual(reply + SIGNATURE_LENGTH, run.sha3([...written, ...signature]), 'wrong hash');
    this.signatures++;
  }

  /** Proves the answer for a transaction: the signature of its digest, and the transaction hash. */
  proveTransaction(): void {
    this.#approveReview(
      REVIEW_OF_TRANSACTION,
      run => {
        const digest = run.digest();
        this.#expectCommitted(run, INS_SIGN_TX, P2_COMMITMENT, digest);
        return digest;
      },
      (run, digest) => {
        const signature = run.signature(digest);
        const hash = run.sha3([...run.uploaded(run.field('transactionLength')), ...signature]);
        run.requireEqual(this.#layout.reply, signature, 'wrong bytes are signed');
        run.requireEqual(
          this.#layout.reply + SIGNATURE_LENGTH,
          hash,
          'the transaction hash covers wrong bytes',
        );
      },
    );
  }

  /** Proves the answer for a message: the signature of all received bytes. */
  proveMessage(): void {
    this.#approveReview(
      REVIEW_OF_MESSAGE,
      run => {
        const message = run.uploaded(run.field('received'));
        this.#expectCommitted(run, INS_SIGN_MESSAGE, -1, message);
        return message;
      },
      (run, message) => {
        run.requireEqual(this.#layout.reply, run.signature(message), 'wrong bytes are signed');
      },
    );
  }

  /** An approval with one of these options must give R0 for a message, and one without them must sign it. */
  #expectCommitted(run: SigningRun, ins: number, options: number, message: Message): void {
    const { terms } = run.paths;
    const option = terms.apply('i32.and', [run.domain.peek(this.#layout.given, 4), run.number(options)]);
    const isCommitted = terms.not(terms.eq(option, run.number(0)));
    run.stub('answerCommitted', (given, from, length) => {
      run.paths.require(isCommitted, 'R0 is given without a commitment');
      const piece = run.piece(from!, length!, run.domain.isUpload(known(from!)));
      if (
        Number(known(given!)) !== ins ||
        piece.length !== message.length ||
        piece.some((term, i) => term !== message[i])
      )
        throw new UnprovenClaim('R0 is given for other bytes');
      this.approvals++;
      throw new PathEnd();
    });
    run.note('signAs', () => run.paths.require(terms.not(isCommitted), 'a commitment is ignored'));
  }

  /** Presses both buttons on any page of a review, and requires a property of every signature in a reply. */
  #approveReview<Expected>(
    review: number,
    expect: (run: SigningRun) => Expected,
    require: (run: SigningRun, expected: Expected) => void,
  ): void {
    this.#explore(run => {
      run.domain.write(this.#layout.reviewing, run.number(review));
      for (const name of ['drawReview', 'closeReview', 'Position#enter']) run.stub(name, () => undefined);
      const expected = expect(run);
      const answer = run.call('pressInReview', run.number(BOTH));
      if (!answer || known(answer) === 0n || known(answer) === STATUS_LENGTH) return;
      require(run, expected);
      this.approvals++;
    });
  }

  /**
   * Proves the check of a contact in SIGN_TX, for each length of a payload: the account has a name only if the
   * proof is right, and a right proof is accepted. Without a contact, the setting `Contacts only` refuses every
   * other account than the one that signs.
   */
  proveContacts(): void {
    for (const length of [20, 28, 32])
      for (const option of [P2_RECIPIENT_CONTACT, P2_APPROVER_CONTACT])
        this.#explore(run => this.#checkAccount(run, length, option));
  }

  #checkAccount(run: SigningRun, length: number, option: number): void {
    const { status, genesis, contacts, given, setting, ownAccount } = this.#layout;
    const { paths, domain } = run;
    const { terms } = paths;
    const contact = contacts + (option === P2_RECIPIENT_CONTACT ? 0 : CONTACT_LENGTH);
    domain.write(ACCOUNT_AT + PAYLOAD, run.number(WIRE_AT + 4));
    domain.write(ACCOUNT_AT + LENGTH, run.number(length));
    domain.write(status, run.number(0));
    const right = run.contactProof(genesis, contact, WIRE_AT, 4 + length);
    const isRight = run.areEqual(right, run.bytes(contact + CONTACT_NAME_LENGTH, CONTACT_PROOF_LENGTH));
    const isOwn = run.areEqual(run.bytes(WIRE_AT, ACCOUNT_SIZE), run.bytes(ownAccount, ACCOUNT_SIZE));
    const isLinked = run.any();
    run.call('checkAccount', ...[ACCOUNT_AT, option, contact].map(each => run.number(each)), isLinked);
    const isAccepted = known(domain.peek(status, 4)) === 0n;
    const hasContact = terms.apply('i32.and', [domain.peek(given, 4), run.number(option)]);
    if (paths.decide(hasContact)) {
      if (known(domain.peek(ACCOUNT_AT + NAME, 4)) !== BigInt(contact))
        throw new UnprovenClaim('another name is shown than the proved one');
      const isProved = terms.both(isRight, terms.not(terms.not(run.isSeedGiven!)));
      paths.require(
        isAccepted ? isProved : terms.not(isProved),
        'a wrong proof is accepted, or a right one not',
      );
      return;
    }
    if (known(domain.peek(ACCOUNT_AT + NAME_LENGTH, 4)) !== 0n)
      throw new UnprovenClaim('an account without a contact has a name');
    const isOn = terms.not(terms.eq(domain.peek(setting, 1), terms.constant(0n, 8)));
    const isForbidden = terms.both(terms.both(isOn, terms.not(isLinked)), terms.not(isOwn));
    paths.require(
      isAccepted ? terms.not(isForbidden) : isForbidden,
      'the setting `Contacts only` is ignored',
    );
  }

  /**
   * Proves REGISTER_CONTACT, for each kind: a review keeps the chain, the name and the account of the command; a
   * check tells whether the proof is right; and an approval replies with the proof of what the review keeps.
   */
  proveRegistration(): void {
    for (const kind of ACCOUNT_KINDS.keys()) {
      if (kind === KIND_NONE) continue;
      this.#explore(run => this.#register(run, kind, 0));
      this.#explore(run => this.#register(run, kind, 1));
      this.#explore(run => this.#approveContact(run, kind));
    }
  }

  #register(run: SigningRun, kind: number, p1: number): void {
    const { command, reply, contacts, genesis } = this.#layout;
    const { domain, paths } = run;
    const data = reply + APDU_HEADER_LENGTH;
    const end = PAYLOAD_AT + ACCOUNT_KINDS[kind]!.payloadLength;
    for (const [at, value] of [
      [CLA_AT, CLA],
      [INS_AT, INS_REGISTER_CONTACT],
      [P1_AT, p1],
      [P2_AT, 0],
      [DATA_AT, data],
    ] as const)
      domain.write(command + at, run.number(value));
    domain.write(data + KIND_AT, run.number(kind));
    for (const name of ['networkEntry', 'hal.locked']) run.stub(name, () => run.any());
    const sent = run.bytes(data, end);
    const right = run.contactProof(data, data + NAME_AT, data + KIND_AT, end - KIND_AT);
    const isRight = run.areEqual(right, run.bytes(data + end, CONTACT_PROOF_LENGTH));
    run.stub('openReview', () => {
      if (p1 !== 0) throw new UnprovenClaim('a check opens a review');
      run.requireEqual(genesis, sent.slice(0, HASH_LENGTH), 'a review keeps another chain');
      run.requireEqual(contacts, sent.slice(NAME_AT), 'a review keeps another contact');
      this.reviews++;
      throw new PathEnd();
    });
    const answer = known(run.call('answerRegisterContact')!);
    const given = run.bytes(reply, Number(answer)).map(each => known(each));
    if (p1 === 1 && given.includes(undefined))
      throw new UnprovenClaim('the reply to a check is not constant');
    const isProved = () => paths.terms.both(isRight, paths.terms.not(paths.terms.not(run.isSeedGiven!)));
    if (answer === REFUSAL_LENGTH && given[REASON_AT] === CONTACT_PROOF)
      paths.require(paths.terms.not(isProved()), 'the check refuses a right proof');
    else if (answer === STATUS_LENGTH && given[0] === 0x90n) {
      paths.require(isProved(), 'the check accepts a wrong proof');
      this.approvals++;
    }
  }

  #approveContact(run: SigningRun, kind: number): void {
    const { reply, contacts, genesis } = this.#layout;
    const account = contacts + CONTACT_NAME_LENGTH;
    run.domain.write(account, run.number(kind));
    const length = 4 + ACCOUNT_KINDS[kind]!.payloadLength;
    const proof = run.contactProof(genesis, contacts, account, length);
    const answer = run.call('answerApprovedContact');
    if (!answer || known(answer) === STATUS_LENGTH) return;
    if (known(answer) !== BigInt(CONTACT_PROOF_LENGTH) + STATUS_LENGTH)
      throw new UnprovenClaim('the reply to an approval has another length than a proof');
    run.requireEqual(reply, proof, 'the proof of another contact is given');
    this.approvals++;
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

  #explore(prove: (run: SigningRun) => void): void;
  #explore(prove: (run: SigningRun, given: Input) => void, message: (paths: Paths) => Input): void;
  #explore(prove: (run: SigningRun, given: Input) => void, message?: (paths: Paths) => Input): void {
    const paths = new Paths(this.#solver);
    paths.explore(() => {
      const given = message?.(paths);
      prove(new SigningRun(this.#module, paths, this.#layout, given), given!);
    });
    this.paths += paths.count;
  }
}
