import { agreeOnGenesis } from '#gateway/nodes/chain-agreement.js';

const [A, B] = ['aa', 'bb'];

function own(...hashes: (string | undefined)[]) {
  return hashes.map((genesisHash, index) => ({
    source: index % 2 === 0 ? ('static' as const) : ('admin' as const),
    health: genesisHash === undefined ? {} : { genesisHash },
  }));
}

function registered(...hashes: (string | undefined)[]) {
  return own(...hashes).map(report => ({ ...report, source: 'registry' as const }));
}

test("the agreed chain is that of most of the operator's nodes, regardless of registered nodes", () => {
  expect(agreeOnGenesis([...own(B, A, B), ...registered(A, A, A)], false)).toBe(B);
  expect(agreeOnGenesis(registered(A, A), true)).toBeUndefined();
});

test('the agreed chain is unknown while fewer than half of the nodes have reported a chain', () => {
  for (const hadTime of [false, true]) {
    expect(agreeOnGenesis(own(undefined, undefined, B), hadTime)).toBeUndefined();
    expect(agreeOnGenesis(own(undefined), hadTime)).toBeUndefined();
  }
});

test('once all nodes had time to answer, the agreed chain is the one that half of them report, or the first on a tie', () => {
  expect(agreeOnGenesis(own(A, undefined), false)).toBeUndefined();
  expect(agreeOnGenesis(own(A, undefined), true)).toBe(A);
  expect(agreeOnGenesis(own(undefined, B), true)).toBe(B);
  expect(agreeOnGenesis(own(B, A), true)).toBe(B);
});
