import { seedAsSpeculos } from '../device/seed.js';

/** The supported options of a Speculos command line. */
interface SpeculosOptions {
  seed?: string;
  model?: string;
}

/** A shell word, quoted or not. */
const WORD = /(?:[^\s"']|"[^"]*"|'[^']*')+/g;
const NAMES: Readonly<Record<string, keyof SpeculosOptions>> = {
  '-s': 'seed',
  '--seed': 'seed',
  '-m': 'model',
  '--model': 'model',
};

/**
 * Reads a command such as `… -s "word word …" -m nanosp …`, also in the form `--seed=…`. If an option is
 * repeated, the last one counts. The seed is returned in hex, and may be derived from any words, as in
 * Speculos.
 */
export function readSpeculosCommand(command: string): SpeculosOptions {
  const words = (command.match(WORD) ?? []).map(word => word.replace(/["']/g, ''));
  const options: SpeculosOptions = {};
  for (const [index, word] of words.entries()) {
    const [name = '', joined] = word.split(/=(.*)/s);
    const option = NAMES[name];
    const value = joined ?? words[index + 1];
    if (option && value !== undefined) options[option] = value;
  }
  return { ...options, ...(options.seed !== undefined && { seed: seedAsSpeculos(options.seed) }) };
}

const BUTTON_MODELS = ['nanosp', 'nanox'];

/** Describes why the emulator does not support a model; undefined if it does. */
export function describeModelFault(model: string | undefined): string | undefined {
  if (model === undefined || BUTTON_MODELS.includes(model)) return undefined;
  return `the model must be ${BUTTON_MODELS.join(' or ')}, not ${model}: the signer has two buttons and no touch screen`;
}
