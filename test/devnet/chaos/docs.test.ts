import { CHAOS_KINDS } from '#devnet/chaos/chaos.js';
import { rowsOf, sectionOf } from '../../../testkit/repository/documents.js';

test('docs/gateway/devnet.md lists every kind of fault injection, and no other', () => {
  const rows = rowsOf(sectionOf('docs/gateway/devnet.md', '## Fault injection'));
  const cells = rows.map(([kind]) => kind!).filter(cell => cell.startsWith('`'));
  expect(cells.map(cell => /^`([a-z-]+)/.exec(cell)![1])).toEqual(CHAOS_KINDS.map(({ name }) => name));
});
