import { byId } from './elements.js';

const EXAMPLES: Record<string, string> = {
  version: 'e003000000',
  address: 'e00501000400000000',
  // Signs the 21 bytes of "Hello from the panel!" with account 0: the header, then one chunk.
  message: 'e0070000080000000015000000\ne00701001548656c6c6f2066726f6d207468652070616e656c21',
};

const form = byId('apdu-form', HTMLFormElement);
const field = byId('apdu', HTMLTextAreaElement);
const result = byId('apdu-result', HTMLOutputElement);

export function listenForCommands(): void {
  form.addEventListener('submit', event => {
    event.preventDefault();
    void send();
  });
  field.addEventListener('keydown', event => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  for (const button of form.querySelectorAll<HTMLButtonElement>('[data-example]')) {
    button.addEventListener('click', () => {
      field.value = EXAMPLES[button.dataset.example ?? ''] ?? '';
      show('', false);
    });
  }
}

async function send(): Promise<void> {
  let commands: string[];
  try {
    commands = parseLines(field.value);
  } catch (error) {
    show(error instanceof Error ? error.message : String(error), true);
    field.focus();
    return;
  }
  try {
    await sendAll(commands);
  } catch {
    show('The emulator did not answer.', true);
  }
}

async function sendAll(commands: readonly string[]): Promise<void> {
  for (const [index, command] of commands.entries()) {
    show(`Sent command ${index + 1} of ${commands.length}; waiting for the device.`, false);
    const status = (await exchange(command)).slice(-4);
    show(`Command ${index + 1} of ${commands.length}: status ${status}.`, false);
    if (status !== '9000') return;
  }
}

async function exchange(command: string): Promise<string> {
  const response = await fetch('/apdu', { method: 'POST', body: JSON.stringify({ data: command }) });
  if (!response.ok) throw new Error(`the emulator answered ${response.status}`);
  const { data } = await response.json();
  return String(data);
}

function show(text: string, isError: boolean): void {
  result.textContent = text;
  result.classList.toggle('fault', isError);
  field.setAttribute('aria-invalid', String(isError));
}

const MAX_BYTES = 261;

/**
 * Parses one command in hex per line, ignoring spaces and empty lines. Throws an Error that names the invalid
 * line.
 */
function parseLines(text: string): string[] {
  const lines = text.split('\n').map(line => line.replace(/\s+/g, '').toLowerCase());
  lines.forEach((line, index) => {
    const problem = problemOf(line);
    if (problem !== '') throw new Error(`Line ${index + 1} ${problem}.`);
  });
  const commands = lines.filter(line => line !== '');
  if (commands.length === 0) throw new Error('Nothing to send.');
  return commands;
}

function problemOf(line: string): string {
  const invalid = /[^0-9a-f]/u.exec(line);
  if (invalid) return `has “${invalid[0]}”, which is not a hexadecimal digit`;
  if (line.length % 2 === 1) return 'has an odd number of digits';
  if (line.length / 2 > MAX_BYTES) return `is ${line.length / 2} bytes long; the maximum is ${MAX_BYTES}`;
  return '';
}
