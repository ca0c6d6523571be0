import { agreeOnGenesis } from '../../../gateway/src/upstream/chain-agreement.js';

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

it('is the configured chain, whatever nodes say', () => {
  expect(agreeOnGenesis(A, own(B, B), C)).toBe(A);
});

it("is what most of the operator's nodes are on, however many strangers are on another", () => {
  expect(agreeOnGenesis(undefined, [...own(B, A, B), ...registered(A, A, A)], A)).toBe(B);
});

it('stays as it was in a draw, and is the first named where nothing was before', () => {
  expect(agreeOnGenesis(undefined, own(A, B), B)).toBe(B);
  expect(agreeOnGenesis(undefined, own(A, B), undefined)).toBe(A);
  expect(agreeOnGenesis(undefined, own(A, B), C)).toBe(A);
});

it("stays as it was while none of the operator's nodes answers", () => {
  expect(agreeOnGenesis(undefined, [...own(undefined), ...registered(A, A)], B)).toBe(B);
});

it('is what most strangers are on only when nothing else is known', () => {
  expect(agreeOnGenesis(undefined, [...own(undefined), ...registered(A, B, B)], undefined)).toBe(B);
});

it('is unknown before any node has told one', () => {
  expect(agreeOnGenesis(undefined, own(undefined), undefined)).toBeUndefined();
});
