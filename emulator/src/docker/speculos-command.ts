/** What a Speculos command line says of the device; everything else in it has no meaning here. */
export interface SpeculosOptions {
  seed?: string;
  model?: string;
}

/** Words of a shell, in quotes or not. */
const WORD = /"([^"]*)"|'([^']*)'|(\S+)/g;
const NAMES: Readonly<Record<string, keyof SpeculosOptions>> = {
  '-s': 'seed',
  '--seed': 'seed',
  '-m': 'model',
  '--model': 'model',
};

/** Reads `… -s "word word …" -m nanosp …`, also with `=` after the long names; of an option given twice the last counts. */
export function readSpeculosCommand(command: string): SpeculosOptions {
  const words = [...command.matchAll(WORD)].map(([word, double, single]) => double ?? single ?? word);
  const options: SpeculosOptions = {};
  for (const [index, word] of words.entries()) {
    const [name = '', joined] = word.split(/=(.*)/s);
    const option = NAMES[name];
    const value = joined?.replace(/^(["'])(.*)\1$/s, '$2') ?? words[index + 1];
    if (option && value !== undefined) options[option] = value;
  }
  return options;
}
