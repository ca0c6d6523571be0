import { readFileSync } from 'node:fs';

interface Exports {
  memory: WebAssembly.Memory;
  buffer(): number;
  bufferSize(): number;
  node(): number;
  deriveKey(out: number, seed: number, account: number): void;
  deriveMaster(seed: number, length: number): void;
  deriveChild(index: number): void;
  publicKey(out: number, key: number): void;
  sign(out: number, message: number, length: number, key: number, expected: number): number;
  commit(
    out: number,
    commitment: number,
    message: number,
    length: number,
    key: number,
    expected: number,
  ): number;
  signRevealed(
    out: number,
    message: number,
    length: number,
    key: number,
    expected: number,
    revealed: number,
    point: number,
  ): number;
  signRevealedUnchecked(
    out: number,
    message: number,
    length: number,
    key: number,
    publicKey: number,
    revealed: number,
    point: number,
  ): number;
  expandKey(key: number): void;
  signExpanded(out: number, message: number, length: number, key: number, publicKey: number): void;
  signUnchecked(out: number, message: number, length: number, key: number, publicKey: number): void;
  verify(signature: number, message: number, length: number, publicKey: number): number;
  decodesPoint(bytes: number): number;
  sha3_256(out: number, message: number, length: number): void;
  sha3Init(): void;
  sha3Update(data: number, length: number): void;
  sha3Final(out: number): void;
  hashSha512(out: number, message: number, length: number): void;
  proveContact(out: number, seed: number, message: number, length: number): void;
  isContactProof(proof: number, seed: number, message: number, length: number): number;
  hmacSha512(out: number, key: number, keyLength: number, message: number, length: number): void;
  wipe(pointer: number, length: number): void;
}

/**
 * Results of `sign`, `commit` and `signRevealed` in firmware/assembly/crypto/crypto.ts, as signed numbers, because WebAssembly returns an
 * i32.
 */
export const SIGNED = 0x5a96c33c;
export const WRONG_KEY = 0xa5963cc3 | 0;
export const NOT_VERIFIED = 0x66aaf00f;
export const NOT_COMMITTED = 0x99550ff0 | 0;

const compiled = await WebAssembly.compile(
  readFileSync(new URL('../../firmware/crypto.wasm', import.meta.url)),
);

/**
 * A new instance of the firmware's cryptography, with functions from bytes to bytes. The inputs of one call
 * are limited to 8 KB in total.
 */
export class CryptoModule {
  readonly exports: Exports;
  readonly memory: Uint8Array;
  #next: number;

  constructor(module: WebAssembly.Module = compiled, imports: Record<string, Record<string, unknown>> = {}) {
    this.exports = new WebAssembly.Instance(module, imports).exports as unknown as Exports;
    this.memory = new Uint8Array(this.exports.memory.buffer);
    this.#next = this.exports.buffer();
  }

  /** Copies bytes into the module's buffer and returns their address. */
  place(bytes: Uint8Array): number {
    const address = this.#next;
    this.#next += bytes.length + 1;
    if (this.#next > this.exports.buffer() + this.exports.bufferSize())
      throw new RangeError('the inputs do not fit into the buffer of the module');
    this.memory.set(bytes, address);
    return address;
  }

  /** Wipes the buffer. The next bytes are placed at its start. */
  clear(): void {
    this.#next = this.exports.buffer();
    this.memory.fill(0, this.#next, this.#next + this.exports.bufferSize());
  }

  #run(length: number, call: (out: number) => unknown): Uint8Array {
    const out = this.place(new Uint8Array(length));
    call(out);
    const result = this.memory.slice(out, out + length);
    this.clear();
    return result;
  }

  deriveKey(seed: Uint8Array, account: number): Uint8Array {
    return this.#run(32, out => this.exports.deriveKey(out, this.place(seed), account));
  }

  publicKey(key: Uint8Array): Uint8Array {
    return this.#run(32, out => this.exports.publicKey(out, this.place(key)));
  }

  /** Signs a message. Returns undefined if the firmware did not return a signature. */
  sign(message: Uint8Array, key: Uint8Array, publicKey = this.publicKey(key)): Uint8Array | undefined {
    let outcome = 0;
    const signature = this.#run(64, out => {
      const [messageAt, keyAt, expectedAt] = [message, key, publicKey].map(bytes => this.place(bytes)) as [
        number,
        number,
        number,
      ];
      outcome = this.exports.sign(out, messageAt, message.length, keyAt, expectedAt);
    });
    return outcome === SIGNED ? signature : undefined;
  }

  verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
    const [signatureAt, messageAt, keyAt] = [
      this.place(signature),
      this.place(message),
      this.place(publicKey),
    ];
    const valid = this.exports.verify(signatureAt, messageAt, message.length, keyAt);
    this.clear();
    return valid === 1;
  }

  decodesPoint(bytes: Uint8Array): boolean {
    const decoded = this.exports.decodesPoint(this.place(bytes));
    this.clear();
    return decoded === 1;
  }

  sha3(message: Uint8Array): Uint8Array {
    return this.#run(32, out => this.exports.sha3_256(out, this.place(message), message.length));
  }

  /** Returns the SHA3-256 of the concatenated pieces, with one call of update for each piece. */
  sha3OfPieces(pieces: Uint8Array[]): Uint8Array {
    return this.#run(32, out => {
      this.exports.sha3Init();
      for (const piece of pieces) this.exports.sha3Update(this.place(piece), piece.length);
      this.exports.sha3Final(out);
    });
  }

  sha512(message: Uint8Array): Uint8Array {
    return this.#run(64, out => this.exports.hashSha512(out, this.place(message), message.length));
  }

  hmacSha512(key: Uint8Array, message: Uint8Array): Uint8Array {
    return this.#run(64, out =>
      this.exports.hmacSha512(out, this.place(key), key.length, this.place(message), message.length),
    );
  }
}
