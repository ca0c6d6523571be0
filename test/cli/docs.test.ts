import { COMMAND_GROUPS } from '#cli/commands.js';
import { EXIT_CODES } from '#cli/errors/exit-codes.js';
import { commandName } from '#cli/parser/command.js';
import { runCommand } from '../../testkit/process/cli.js';
import { rowsOf, sectionOf } from '../../testkit/repository/documents.js';
import { readText } from '../../testkit/repository/repository.js';

const PAGE = 'docs/CLI.md';
const COMMANDS = COMMAND_GROUPS.flatMap(({ commands }) => commands);
/** Commands that only group their subcommands. */
const GROUPS = COMMANDS.filter(row => row.load === undefined).map(commandName);
/** Options of every command, which a section of the document need not repeat. */
const ALWAYS = ['--help', '--version', '--json'];

const [, ...sections] = readText(PAGE).split(/^### /m);
const documented = new Map(
  sections.map(section => [section.split('\n')[0]!, section.split(/^## /m)[0]!] as const),
);

/** Returns the options of a section: the first cells of its table, and those after "Common options". */
function documentedOptions(section: string): string[] {
  const [, common = ''] = /Common\s+options:([^.]*)\./.exec(section) ?? [];
  const cells = rowsOf(section).map(([first]) => first!);
  return [common, ...cells].flatMap(text => [...text.matchAll(/`(--[a-z-]+)`/g)].map(([, name]) => name!));
}

const helps = new Map<string, Promise<string>>();

/** Returns the help text of a command, and requests each text only once. */
function helpOf(command: string): Promise<string> {
  const words = command.split(' ').filter(word => word !== '');
  const help = helps.get(command) ?? runCommand([...words, '--help']).then(({ stdout }) => stdout);
  helps.set(command, help);
  return help;
}

/** Returns the names in a help text's list of commands, such as `node info`. */
function commandsIn(help: string): string[] {
  const [, list = ''] = /^Commands:\n([\s\S]*?)\n\n/m.exec(help) ?? [];
  return [...list.matchAll(/^ {2}zbc-signer ((?:[a-z-]+ ?)+)/gm)].map(([, name]) => name!.trim());
}

function optionsIn(help: string): string[] {
  return [...help.matchAll(/^ +(?:-\w, )?(--[a-z-]+)/gm)].map(([, name]) => name!);
}

test(`${PAGE} lists every command of the program, and no other`, async () => {
  const help = await helpOf('');
  const top = [...help.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name]) => name!);
  const below = await Promise.all(top.map(async name => commandsIn(await helpOf(name))));
  const commands = [...top, ...below.flat()].filter(name => !GROUPS.includes(name));
  expect([...documented.keys()].sort()).toEqual([...new Set(commands)].sort());
});

test.each([...documented])(`${PAGE} lists every option of %s, and no other`, async (command, section) => {
  const options = optionsIn(await helpOf(command)).filter(name => !ALWAYS.includes(name));
  expect(
    documentedOptions(section)
      .filter(name => !ALWAYS.includes(name))
      .sort(),
  ).toEqual([...new Set(options)].sort());
});

test('the page lists every exit code with its meaning, and no other', () => {
  const listed = rowsOf(sectionOf(PAGE, '## Exit codes'))
    .filter(([code]) => /^\d+$/.test(code!))
    .map(([code, meaning]) => [Number(code), meaning]);
  expect(listed).toEqual(EXIT_CODES.map(({ code, meaning }) => [code, meaning]));
});
