import { Labels } from '#wallet/page/labels.js';
import { accounts } from '../../testkit/repository/vectors.js';

const [FIRST, SECOND] = accounts.cases.map(({ address }) => address) as [string, string];

/** The storage of a browser. */
function openStorage() {
  const kept = new Map<string, string>();
  return {
    length: 0,
    key: () => null,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

test('a name is kept for all pages of the browser until it is emptied', () => {
  const storage = openStorage();
  new Labels(storage).set(FIRST, '  Anna ');
  expect(new Labels(storage).nameOf(FIRST)).toBe('Anna');
  new Labels(storage).set(FIRST, ' ');
  expect(new Labels(storage).nameOf(FIRST)).toBeUndefined();
});

test('a file of names is loaded in another browser, beside those that it has', () => {
  const [one, other] = [new Labels(openStorage()), new Labels(openStorage())];
  one.set(FIRST, 'Anna');
  other.set(SECOND, 'Shop');
  expect(other.load(one.format())).toBe(1);
  expect([...other.all]).toEqual([
    [SECOND, 'Shop'],
    [FIRST, 'Anna'],
  ]);
});

test.each([
  ['no JSON', 'nonsense'],
  ['another document', '{"format":"other","labels":[]}'],
  ['a mistyped address', `{"format":"zbc-wallet-labels","labels":[["${FIRST.slice(0, -1)}A","Anna"]]}`],
  ['no list', '{"format":"zbc-wallet-labels"}'],
])('nothing of a file with %s is kept', (_what, text) => {
  const labels = new Labels(openStorage());
  expect(() => labels.load(text)).toThrow('no names of this wallet');
  expect(labels.all.size).toBe(0);
});

test('a browser that keeps nothing, or something damaged, has no names', () => {
  const storage = openStorage();
  storage.setItem('zbc-wallet labels', '{"a":1}');
  expect(new Labels(storage).all.size).toBe(0);
  expect(new Labels(undefined).all.size).toBe(0);
});
