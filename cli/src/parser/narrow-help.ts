const INDENT = 2;
const DETAIL = 6;
/** What a line of the help has beside its second column: `  -o, --output   file to write   [string]`. */
const COLUMNS = /\s{2,}/;

/** A help text without line breaks of its own, for a narrow terminal: what is described, and below it how. */
export function narrowHelp(help: string, width: number): string {
  return help
    .split('\n')
    .flatMap(line => {
      const [name = '', ...details] = line.trim().split(COLUMNS);
      const isIndented = line.startsWith(' ');
      if (details.length > 0 && /^\d+$/.test(name))
        return wrap(`${name} ${details.join(' ')}`, width, INDENT);
      return [
        ...wrap(name, width, isIndented ? INDENT : 0),
        ...(details.length > 0 ? wrap(details.join(' '), width, DETAIL) : []),
      ];
    })
    .join('\n');
}

/** Breaks between words alone; a word that is longer than a line has one of its own. */
function wrap(text: string, width: number, indent: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent + line.length + 1 + word.length > width) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? word : ` ${word}`;
  }
  return [...lines, line].map(each => (each === '' ? '' : ' '.repeat(indent) + each));
}
