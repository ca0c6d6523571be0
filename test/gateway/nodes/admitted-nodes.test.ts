import { mergeNodes } from '#gateway/nodes/admitted-nodes.js';

const CONFIGURED = { ip: '1.1.1.1', port: 1, role: 'full' } as const;
const ADDED = { ip: '2.2.2.2', port: 2, role: 'archival' } as const;
const REGISTERED = { ip: '3.3.3.3', port: 3, role: 'full', source: 'registry' } as const;

test('admits nodes that are configured, added or registered', () => {
  expect(mergeNodes([CONFIGURED], { added: [ADDED], removed: [] }, [REGISTERED])).toEqual([
    { ...CONFIGURED, source: 'static' },
    { ...ADDED, source: 'admin' },
    REGISTERED,
  ]);
});

test('admits no node that an administrator removed', () => {
  const removed = [
    { ip: '1.1.1.1', port: 1 },
    { ip: '3.3.3.3', port: 3 },
  ];
  expect(mergeNodes([CONFIGURED], { added: [ADDED], removed }, [REGISTERED])).toEqual([
    { ...ADDED, source: 'admin' },
  ]);
});

test("prefers the operator's entry for a node to the registry's", () => {
  const other = { ip: '1.1.1.1', port: 1, role: 'archival', source: 'registry' } as const;
  expect(mergeNodes([CONFIGURED], { added: [], removed: [] }, [other])).toEqual([
    { ...CONFIGURED, source: 'static' },
  ]);
});

test('distinguishes two ports of one address', () => {
  expect(mergeNodes([CONFIGURED, { ...CONFIGURED, port: 2 }], { added: [], removed: [] }, [])).toHaveLength(
    2,
  );
});
