const MAX_BYTES = 261;

/**
 * Parses one command in hex a line, ignoring spaces and empty lines. Throws an Error that names the invalid
 * line.
 */
export function parseLines(text: string): string[] {
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
