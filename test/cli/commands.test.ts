import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { COMMAND_GROUPS } from '#cli/commands.js';
import { type CommandRow, commandName } from '#cli/parser/command.js';
import { root } from '../../testkit/repository/repository.js';

const COMMANDS = COMMAND_GROUPS.flatMap(({ commands }) => commands);

/** The words of every command that can be run. */
function paths(rows: readonly CommandRow[], parents: readonly string[] = []): string[][] {
  return rows.flatMap(row => {
    const path = [...parents, commandName(row)];
    return [...(row.load === undefined ? [] : [path]), ...paths(row.subcommands ?? [], path)];
  });
}

function find(path: readonly string[]): CommandRow {
  const [name, ...rest] = path;
  const row = COMMANDS.find(each => commandName(each) === name)!;
  return rest.length === 0 ? row : row.subcommands!.find(each => commandName(each) === rest[0])!;
}

test('every file in commands/ is in the table, under its own words', () => {
  const files = readdirSync(join(root, 'cli/src/commands'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => name.replace(/\.ts$/, ''));
  expect(files.sort()).toEqual(
    paths(COMMANDS)
      .map(path => path.join('/'))
      .sort(),
  );
});

test.each(paths(COMMANDS).map(path => path.join(' ')))('%s loads its own module', async name => {
  const path = name.split(' ');
  const { command } = await import(`#cli/commands/${path.join('/')}.js`);
  expect((await find(path).load!()).command).toBe(command);
});

test('every command of --help has a summary of one line', () => {
  const rows = COMMANDS.flatMap(row => [row, ...(row.subcommands ?? [])]);
  expect(rows.filter(({ summary }) => summary === '' || summary.length > 100)).toEqual([]);
});
