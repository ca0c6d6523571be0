import { agreeOnGenesis } from '#gateway/upstream/chain-agreement.js';

const [A, B, C] = ['aa', 'bb', 'cc'];

function own(...hashes: (string | undefined)[]) {
  return hashes.map((genesisHash, index) => ({
    source: index % 2 === 0 ? ('static' as const) : ('admin' as const),
    genesisHash,
  }));
}

function registered(...hashes: (string | undefined)[]) {
  return hashes.map(genesisHash => ({ source: 'registry' as const, genesisHash }));
}

it('is the configured chain, regardless of the nodes', () => {
  expect(agreeOnGenesis(A, own(B, B), C)).toBe(A);
});

it("is that of most of the operator's nodes, regardless of registered nodes", () => {
  expect(agreeOnGenesis(undefined, [...own(B, A, B), ...registered(A, A, A)], A)).toBe(B);
});

it('stays on a tie, and is the first reported without a previous one', () => {
  expect(agreeOnGenesis(undefined, own(A, B), B)).toBe(B);
  expect(agreeOnGenesis(undefined, own(A, B), undefined)).toBe(A);
  expect(agreeOnGenesis(undefined, own(A, B), C)).toBe(A);
});

it("stays while none of the operator's nodes answers", () => {
  expect(agreeOnGenesis(undefined, [...own(undefined), ...registered(A, A)], B)).toBe(B);
});

it('is that of most registered nodes only if nothing else is known', () => {
  expect(agreeOnGenesis(undefined, [...own(undefined), ...registered(A, B, B)], undefined)).toBe(B);
});

it('is unknown before a node reports one', () => {
  expect(agreeOnGenesis(undefined, own(undefined), undefined)).toBeUndefined();
});
