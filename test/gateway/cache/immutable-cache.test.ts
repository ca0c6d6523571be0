import { ImmutableCache, type KeptAnswer } from '#gateway/cache/immutable-cache.js';
import type { KnownNode } from '#gateway/nodes/node-directory.js';

const node = {} as KnownNode;
const kept = (length: number): KeptAnswer => ({
  answer: { status: 200, headers: {}, body: Buffer.alloc(length), contentLength: length },
  node,
  by: 'archival',
  genesisHash: 'a1',
  continuity: {},
});

test('drops the least recently used answers above its limit, and counts the bytes that it holds', () => {
  const cache = new ImmutableCache(10_000);
  for (const path of ['/a', '/b', '/c']) cache.set(path, kept(2000));
  expect(cache.bytes).toBe(3 * (2000 + 2 + 1024));
  expect(cache.get('/a')).toBeDefined();
  cache.set('/d', kept(2000));
  expect(['/a', '/b', '/c', '/d'].filter(path => cache.get(path) !== undefined)).toEqual(['/a', '/c', '/d']);
  expect(cache.bytes).toBe(3 * (2000 + 2 + 1024));
});

test('keeps the later of two answers to a path, and no answer that is larger than the whole cache', () => {
  const cache = new ImmutableCache(20_000);
  cache.set('/a', kept(5000));
  const second = kept(6000);
  cache.set('/a', second);
  expect(cache.get('/a')).toBe(second);
  expect(cache.bytes).toBe(6000 + 2 + 1024);
  cache.set('/b', kept(20_000));
  expect([cache.get('/a'), cache.get('/b'), cache.bytes]).toEqual([undefined, undefined, 0]);
});
