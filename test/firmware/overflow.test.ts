import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../testkit/repository/repository.js';
import { outputFile } from '../../tools/build/compile-assembly.js';

interface Exports {
  memory: WebAssembly.Memory;
  buffer(): number;
  clear(): void;
  add(length: number): void;
  open(): number;
}

let screens = 0;
let module: Exports;

beforeAll(async () => {
  const wasm = readFileSync(join(root, await outputFile('review')));
  const nothing = () => 0;
  const hal = {
    locked: nothing,
    seed: nothing,
    quit: nothing,
    display: () => {
      screens += 1;
    },
    text: nothing,
    settings_load: nothing,
    settings_store: nothing,
  };
  const instance = new WebAssembly.Instance(await WebAssembly.compile(wasm), { hal });
  module = instance.exports as unknown as Exports;
});

beforeEach(() => {
  screens = 0;
  module.clear();
});

/** The reply's bytes in hex; empty for a review. */
function open(): string {
  const length = module.open();
  return Buffer.from(module.memory.buffer, module.buffer(), length).toString('hex');
}

describe('a review', () => {
  test('with the maximum number of items of maximum length is shown', () => {
    for (let i = 0; i < 26; i++) module.add(40);
    expect(open()).toBe('');
    expect(screens).toBe(1);
  });

  test('with one item too many is refused, and nothing is shown', () => {
    for (let i = 0; i < 27; i++) module.add(0);
    expect(open()).toBe('6f00');
    expect(screens).toBe(0);
  });

  test('with one character too many is refused, and nothing is shown', () => {
    for (let i = 0; i < 26; i++) module.add(i === 0 ? 41 : 40);
    expect(open()).toBe('6f00');
    expect(screens).toBe(0);
  });
});
