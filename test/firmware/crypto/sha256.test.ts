import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRandom } from '../../../testkit/crypto/random.js';

interface Exports {
  memory: WebAssembly.Memory;
  buffer(): number;
  begin_digest(): void;
  add_to_digest(length: number): void;
  end_digest(): void;
}

const compiled = await WebAssembly.compile(
  readFileSync(new URL('../../../firmware/verifier.wasm', import.meta.url)),
);
const module = new WebAssembly.Instance(compiled, {}).exports as unknown as Exports;
const memory = new Uint8Array(module.memory.buffer);

/** The digest of the parts, each of at most 1024 bytes. */
function digestOf(parts: readonly Uint8Array[]): string {
  module.begin_digest();
  for (const part of parts) {
    memory.set(part, module.buffer());
    module.add_to_digest(part.length);
  }
  module.end_digest();
  return Buffer.from(memory.slice(module.buffer(), module.buffer() + 32)).toString('hex');
}

test('SHA-256 agrees with OpenSSL for every length up to three blocks', () => {
  const random = createRandom(256);
  for (let length = 0; length <= 192; length++) {
    const bytes = random(length);
    expect(digestOf([bytes])).toBe(createHash('sha256').update(bytes).digest('hex'));
  }
});

test('SHA-256 does not depend on how the input is divided', () => {
  const random = createRandom(257);
  for (let round = 0; round < 300; round++) {
    const parts = Array.from({ length: 1 + (round % 7) }, () => random(random(2)[0]! * 4));
    expect(digestOf(parts)).toBe(createHash('sha256').update(Buffer.concat(parts)).digest('hex'));
  }
});
