// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are of shells.
import type { DescribedCommand, DescribedOption } from './describe.js';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The script that completes commands, options and fixed values; anything else is the name of a file. */
export function completionScript(shell: Shell, commands: readonly DescribedCommand[]): string {
  switch (shell) {
    case 'bash':
      return bashScript(commands);
    case 'zsh':
      return zshScript(commands);
    case 'fish':
      return fishScript(commands);
  }
}

/** Single-quoted for bash and zsh. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Single-quoted for fish, which has escapes in them. */
function quoteFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function valueOptions(commands: readonly DescribedCommand[]): string[] {
  const names = commands.flatMap(({ options }) =>
    options.filter(({ takesValue }) => takesValue).flatMap(option => option.names),
  );
  return [...new Set(names)].sort();
}

/** The options with a fixed set of values, of every command. */
function choiceOptions(commands: readonly DescribedCommand[]): [path: string, option: DescribedOption][] {
  return commands.flatMap(({ path, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .map(option => [path, option] satisfies [string, DescribedOption]),
  );
}

function pathsOf(commands: readonly DescribedCommand[]): string {
  return commands.flatMap(({ path }) => (path === '' ? [] : [quote(path)])).join('|');
}

/** Walks over the words before the cursor, skipping options and their values; leaves `command`. */
function walk(commands: readonly DescribedCommand[], words: string): string[] {
  return [
    `  for word in ${words}; do`,
    '    if [[ -n $skip ]]; then skip=; continue; fi',
    '    case $word in',
    `      ${valueOptions(commands).join('|')}) skip=1; continue ;;`,
    '      --) ended=1; break ;;',
    '      -*) continue ;;',
    '    esac',
    '    case "${command:+$command }$word" in',
    `      ${pathsOf(commands)}) command="\${command:+$command }$word" ;;`,
    '    esac',
    '  done',
  ];
}

function bashScript(commands: readonly DescribedCommand[]): string {
  const choices = choiceOptions(commands).map(
    ([path, { names, choices }]) =>
      `    ${names.map(name => quote(`${path} ${name}`)).join('|')}) words=${quote(choices.join(' '))} ;;`,
  );
  const words = commands.map(({ path, subcommands, options, choices }) => {
    const names = options.flatMap(option => option.names).filter(name => name.startsWith('--'));
    const first = [...subcommands.map(({ name }) => name), ...choices].join(' ');
    return `      ${quote(path)}) words=${quote(first)}; options=${quote(names.join(' '))} ;;`;
  });
  return lines(
    '# bash completion for zbc-signer: source <(zbc-signer completion bash)',
    '_zbc_signer() {',
    '  local word skip= ended= command= words= options= current="${COMP_WORDS[COMP_CWORD]}"',
    '  local previous="${COMP_WORDS[COMP_CWORD-1]}"',
    '  COMPREPLY=()',
    '  # Readline takes --option=value apart.',
    '  if [[ $current == = ]]; then current=',
    '  elif [[ $previous == = ]]; then previous="${COMP_WORDS[COMP_CWORD-2]}"; fi',
    ...walk(commands, '"${COMP_WORDS[@]:1:COMP_CWORD-1}"'),
    '  [[ -n $ended ]] && return',
    '  case "$command $previous" in',
    ...choices,
    '  esac',
    '  if [[ -z $words ]]; then',
    `    case $previous in ${valueOptions(commands).join('|')}) return ;; esac`,
    '    case $command in',
    ...words,
    '    esac',
    '    [[ $current == -* ]] && words=$options',
    '  fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -o default -o bashdefault -F _zbc_signer zbc-signer',
  );
}

function zshScript(commands: readonly DescribedCommand[]): string {
  const choices = choiceOptions(commands).map(
    ([path, { names, choices }]) =>
      `    ${names.map(name => quote(`${path} ${name}`)).join('|')}) compadd -- ${choices.join(' ')}; return ;;`,
  );
  const described = (items: readonly (readonly [string, string])[]) =>
    items.map(([name, text]) => quote(`${name.replaceAll(':', '\\:')}:${text}`)).join(' ');
  const words = commands.map(({ path, subcommands, options, choices }) => {
    const first = [
      ...subcommands.map(({ name, description }) => [name, description] as const),
      ...choices.map(choice => [choice, choice] as const),
    ];
    const named = options.flatMap(({ names, description }) =>
      names.map(name => [name, description] as const),
    );
    return `    ${quote(path)}) items=(${described(first)}); options=(${described(named)}) ;;`;
  });
  return lines(
    '#compdef zbc-signer',
    '# zsh completion for zbc-signer: source <(zbc-signer completion zsh), after compinit',
    '_zbc_signer() {',
    '  local word skip= ended= command=',
    '  local previous="${words[CURRENT-1]}" current="${words[CURRENT]}"',
    '  local -a items options',
    ...walk(commands, '"${(@)words[2,CURRENT-1]}"'),
    '  if [[ -n $ended ]]; then _files; return; fi',
    '  case "$command $previous" in',
    ...choices,
    '  esac',
    `  case $previous in ${valueOptions(commands).join('|')}) _files; return ;; esac`,
    '  case $command in',
    ...words,
    '  esac',
    '  if [[ $current == -* ]]; then _describe option options; elif (( ${#items} )); then _describe command items',
    '  else _files; fi',
    '}',
    '# As a function of $fpath it is called by its name; sourced, it is registered.',
    'if [[ $funcstack[1] == _zbc_signer ]]; then _zbc_signer "$@"; else compdef _zbc_signer zbc-signer; fi',
  );
}

function fishScript(commands: readonly DescribedCommand[]): string {
  const completions = commands.flatMap(command => {
    const at = `complete -c zbc-signer -n ${quoteFish(`__zbc_signer_at ${quoteFish(command.path)}`)}`;
    return [
      ...command.subcommands.map(
        ({ name, description }) => `${at} -f -a ${name} -d ${quoteFish(description)}`,
      ),
      ...command.choices.map(choice => `${at} -f -a ${choice}`),
      ...command.options.map(option => `${at} ${fishOption(option)}`),
    ];
  });
  return lines(
    '# fish completion for zbc-signer: zbc-signer completion fish | source',
    'function __zbc_signer_at --description "Whether the words before the cursor name this command"',
    '  set -l command',
    '  set -l skip 0',
    '  for word in (commandline -opc)[2..-1]',
    '    if test $skip = 1',
    '      set skip 0',
    '      continue',
    '    end',
    `    if contains -- $word ${valueOptions(commands).join(' ')}`,
    '      set skip 1',
    '      continue',
    '    end',
    '    string match -q -- "-*" $word; and continue',
    '    set -l longer (string join " " -- $command $word)',
    `    if contains -- $longer ${commands.flatMap(({ path }) => (path === '' ? [] : [quoteFish(path)])).join(' ')}`,
    '      set command $longer',
    '    end',
    '  end',
    '  test "$command" = "$argv[1]"',
    'end',
    ...completions,
  );
}

function fishOption({ names, description, takesValue, choices }: DescribedOption): string {
  const flags = names.map(name => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const value = choices.length > 0 ? [`-x -a ${quoteFish(choices.join(' '))}`] : takesValue ? ['-r'] : [];
  return [...flags, ...value, `-d ${quoteFish(description)}`].join(' ');
}

function lines(...all: string[]): string {
  return all.join('\n');
}
