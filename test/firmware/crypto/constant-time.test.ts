import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import binaryen from 'assemblyscript/binaryen';
import { CryptoModule } from '../../../testkit/crypto/crypto-module.js';
import { opensslPublicKey, opensslSign } from '../../../testkit/crypto/openssl.js';
import { createRandom } from '../../../testkit/crypto/random.js';
import { root } from '../../../testkit/repository/repository.js';
import { outputFile } from '../../../tools/build/compile-assembly.js';

interface Trace {
  events: number;
  /** Hash over every entered loop and function and every address read or written, in order. */
  hash: number;
}

/** The built module with a call at each of those events, inserted by binaryen. */
async function traceModule(): Promise<{ module: CryptoModule; trace(call: () => unknown): Trace }> {
  const instrumented = binaryen.readBinary(readFileSync(join(root, 'dist/firmware/crypto.wasm')));
  // The first pass turns memory.copy and memory.fill into loops, so that the last one sees their loads and
  // stores; it requires these features to be declared.
  const { MutableGlobals, SignExt, BulkMemory, BulkMemoryOpt } = binaryen.Features;
  instrumented.setFeatures(MutableGlobals | SignExt | BulkMemory | BulkMemoryOpt);
  instrumented.runPasses(['llvm-memory-copy-fill-lowering', 'log-execution', 'instrument-memory']);
  let trace: Trace = { events: 0, hash: 0 };
  const note = (value: number) => {
    trace = { events: trace.events + 1, hash: (Math.imul(trace.hash, 31) + value) | 0 };
  };
  const noteAddress = (_id: number, _size: number, offset: number, address: number) => {
    note(address + offset);
    return address;
  };
  const hooks: Record<string, unknown> = {
    log_execution: note,
    load_ptr: noteAddress,
    store_ptr: noteAddress,
  };
  const keepValue = (_id: number, value: unknown) => value;
  const env = new Proxy(hooks, { get: (_, name: string) => hooks[name] ?? keepValue });
  const module = new CryptoModule(await WebAssembly.compile(instrumented.emitBinary()), { env });
  return {
    module,
    trace: call => {
      trace = { events: 0, hash: 0 };
      call();
      return trace;
    },
  };
}

const random = createRandom(14);
const secretsOf = (length: number) => [
  ...Array.from({ length: 20 }, () => random(length)),
  ...[0x00, 0x01, 0x80, 0xff].map(fill => new Uint8Array(length).fill(fill)),
];
const { module, trace } = await traceModule();
const { exports } = module;
const [out, secretAt, messageAt, publicKeyAt] = [64, 64, 151, 32].map(length =>
  module.place(random(length)),
) as [number, number, number, number];

function traceWith(secret: Uint8Array, call: () => unknown): Trace {
  module.memory.set(secret, secretAt);
  return trace(call);
}

describe('the trace of a computation', () => {
  test.each([
    ['deriveKey', 64, () => exports.deriveKey(out, secretAt, 5)],
    ['publicKey', 32, () => exports.publicKey(out, secretAt)],
    ['signing', 32, () => exports.signUnchecked(out, messageAt, 151, secretAt, publicKeyAt)],
    ['hmacSha512', 64, () => exports.hmacSha512(out, secretAt, 64, messageAt, 151)],
    ['proveContact', 64, () => exports.proveContact(out, secretAt, messageAt, 104)],
    ['isContactProof', 64, () => exports.isContactProof(publicKeyAt, secretAt, messageAt, 104)],
  ])('is the same for every secret in %s', (_, length, call) => {
    const [first, ...others] = secretsOf(length).map(secret => traceWith(secret, call));
    expect(first!.events).toBeGreaterThan(1000);
    for (const other of others) expect(other).toEqual(first);
  });

  test('is the same for the right proof of a contact and for every proof that differs from it in one bit', () => {
    const check = () => exports.isContactProof(out, secretAt, messageAt, 104);
    exports.proveContact(out, secretAt, messageAt, 104);
    expect(check()).toBe(1);
    const right = trace(check);
    for (let bit = 0; bit < 256; bit++) {
      module.memory[out + (bit >> 3)]! ^= 1 << (bit & 7);
      expect(check()).toBe(0);
      expect(trace(check)).toEqual(right);
      module.memory[out + (bit >> 3)]! ^= 1 << (bit & 7);
    }
  });

  test('is the same for every secret in commit and in signing with the revealed bytes', () => {
    const pointAt = module.place(new Uint8Array(32));
    const revealedAt = module.place(random(32));
    const commitmentAt = module.place(random(32));
    exports.sha3_256(commitmentAt, revealedAt, 32);
    const traces = secretsOf(32).map(secret => {
      module.memory.set(secret, secretAt);
      exports.publicKey(publicKeyAt, secretAt);
      const committed = trace(() =>
        exports.commit(pointAt, commitmentAt, messageAt, 151, secretAt, publicKeyAt),
      );
      const signed = trace(() => {
        const { signRevealedUnchecked } = exports;
        expect(signRevealedUnchecked(out, messageAt, 151, secretAt, publicKeyAt, revealedAt, pointAt)).toBe(
          1,
        );
      });
      return [committed, signed];
    });
    for (const each of traces) expect(each).toEqual(traces[0]);
    expect(traces[0]![1]!.events).toBeGreaterThan(traces[0]![0]!.events);
  });

  test('differs between inputs of verify, which shows that the trace detects differences', () => {
    const traces = [1, 2].map(() => {
      const [key, message] = [random(32), random(32)];
      const signature = module.place(opensslSign(message, key));
      const call = () =>
        exports.verify(signature, module.place(message), 32, module.place(opensslPublicKey(key)));
      return trace(call);
    });
    expect(traces[0]).not.toEqual(traces[1]);
  });
});

describe('the compiled firmware', () => {
  // The hash above does not cover `select` instructions, so the code must not contain any.
  test.each(['release', 'crypto'])(
    'has no select instruction in the cryptography, except in verification: %s',
    async target => {
      const text = readFileSync(join(root, (await outputFile(target)).replace('.wasm', '.wat')), 'utf8');
      const functions = text.split(/^ \(func \$/m).slice(1);
      const selecting = functions
        .filter(code => /^\s*\(?select\b/m.test(code))
        .map(code => code.split(/[\s)]/)[0] ?? '');
      const secret = selecting.filter(name => /assembly\/crypto\//.test(name));
      expect(functions.length).toBeGreaterThan(30);
      expect(secret.filter(name => !/crypto\/(verify|decode-point)\//.test(name))).toEqual([]);
    },
  );
});
