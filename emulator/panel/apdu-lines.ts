const MAX_BYTES = 261;

/** Bytes in hex, one command a line, spaces and empty lines aside. Throws an Error that says which line is wrong and how. */
export function parseLines(text: string): string[] {
  const lines = text.split('\n').map(line => line.replace(/\s+/g, '').toLowerCase());
  lines.forEach((line, index) => {
    const problem = problemOf(line);
    if (problem !== '') throw new Error(`Line ${index + 1} ${problem}.`);
  });
  const commands = lines.filter(line => line !== '');
  if (commands.length === 0) throw new Error('There is nothing to send.');
  return commands;
}

function problemOf(line: string): string {
  const stranger = /[^0-9a-f]/u.exec(line);
  if (stranger) return `has “${stranger[0]}”, which is not a hexadecimal digit`;
  if (line.length % 2 === 1) return 'has an odd number of digits';
  if (line.length / 2 > MAX_BYTES)
    return `is ${line.length / 2} bytes long, at most ${MAX_BYTES} are allowed`;
  return '';
}
