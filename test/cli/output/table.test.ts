import { formatTable } from '#cli/output/table.js';

test('a table indents the continuation lines of a value', () => {
  expect(
    formatTable([
      ['A', '1'],
      ['Long', 'x\ny'],
    ]),
  ).toBe('A     1\nLong  x\n      y');
});
