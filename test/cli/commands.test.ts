import { COMMAND_GROUPS } from '#cli/commands.js';
import { type Command, commandName } from '#cli/parser/command.js';

const COMMANDS = COMMAND_GROUPS.flatMap(({ commands }) => commands);

const ROWS = COMMANDS.flatMap(row => [row, ...row.subcommands]);

test('every command of a module has one row, and every row a command of its own or subcommands', async () => {
  const modules = new Set<object>();
  const commands: Command[] = [];
  for (const { load, usage, subcommands } of ROWS) {
    const module = await load();
    modules.add(module.commands);
    const command = module.commands[commandName({ usage })];
    if (command !== undefined) commands.push(command);
    else expect(subcommands).not.toEqual([]);
  }
  expect(commands.every(command => typeof command.run === 'function')).toBe(true);
  expect(new Set(commands).size).toBe(commands.length);
  expect(new Set(commands)).toEqual(new Set([...modules].flatMap(all => Object.values(all))));
});

test('every command of --help has a summary of one line', () => {
  expect(ROWS.filter(({ summary }) => summary === '' || summary.length > 100)).toEqual([]);
});
