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

test('a name is stored for all pages of the browser until it is cleared', () => {
  const storage = openStorage();
  new Labels(storage).set(FIRST, '  Anna ');
  expect(new Labels(storage).nameOf(FIRST)).toBe('Anna');
  new Labels(storage).set(FIRST, ' ');
  expect(new Labels(storage).nameOf(FIRST)).toBeUndefined();
});

test('a file of names is loaded into another browser, which keeps its own names', () => {
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
  ['invalid JSON', 'nonsense'],
  ['another document', '{"format":"other","labels":[]}'],
  ['a mistyped address', `{"format":"zbc-wallet-labels","labels":[["${FIRST.slice(0, -1)}A","Anna"]]}`],
  ['no list', '{"format":"zbc-wallet-labels"}'],
])('no name is loaded from a file with %s', (_what, text) => {
  const labels = new Labels(openStorage());
  expect(() => labels.load(text)).toThrow('no names of this wallet');
  expect(labels.all.size).toBe(0);
});

test('a browser without storage, or with a damaged entry, has no names', () => {
  const storage = openStorage();
  storage.setItem('zbc-wallet labels', '{"a":1}');
  expect(new Labels(storage).all.size).toBe(0);
  expect(new Labels(undefined).all.size).toBe(0);
});

test('a file of names that cannot be stored is not reported as loaded', () => {
  const fail = () => {
    throw new DOMException('no room', 'QuotaExceededError');
  };
  const full = { ...openStorage(), setItem: fail };
  const [one, ...others] = [new Labels(openStorage()), new Labels(full), new Labels(undefined)];
  one.set(FIRST, 'Anna');
  for (const labels of others) {
    expect(() => labels.load(one.format())).toThrow('cannot keep');
    expect(labels.all.size).toBe(0);
  }
});

test('a name that is blank after cleaning is not stored', () => {
  const labels = new Labels(openStorage());
  labels.load(
    `{"format":"zbc-wallet-labels","labels":[["${FIRST}","\u202e \u200b "],["${SECOND}"," Shop"]]}`,
  );
  expect([...labels.all]).toEqual([[SECOND, 'Shop']]);
});

test('names are parsed once, and parsed again after another page has changed them', () => {
  const storage = openStorage();
  const [own, other] = [new Labels(storage), new Labels(storage)];
  other.set(FIRST, 'Anna');
  const names = own.all;
  expect(own.all).toBe(names);
  other.set(FIRST, 'Berta');
  expect(own.nameOf(FIRST)).toBe('Berta');
});
