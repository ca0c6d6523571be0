import { COMMAND_GROUPS } from '#cli/commands.js';
import { type CommandRow, commandName } from '#cli/parser/command.js';

const COMMANDS = COMMAND_GROUPS.flatMap(({ commands }) => commands);

/** Returns the words of every command that can run. */
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

test('every row has a different command', async () => {
  const commands = [];
  for (const path of paths(COMMANDS)) commands.push((await find(path).load!()).command);
  expect(commands.every(command => typeof command.run === 'function')).toBe(true);
  expect(new Set(commands).size).toBe(commands.length);
});

test('every command of --help has a summary of one line', () => {
  const rows = COMMANDS.flatMap(row => [row, ...(row.subcommands ?? [])]);
  expect(rows.filter(({ summary }) => summary === '' || summary.length > 100)).toEqual([]);
});
