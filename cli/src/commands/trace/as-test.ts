import { basename } from 'node:path';
import { defineCommand } from '../../parser/command.js';
import { readTrace, TRACE_ARGUMENT } from './file.js';

export const command = defineCommand({
  arguments: { file: TRACE_ARGUMENT },
  options: {
    for: {
      choices: ['jest', 'vitest', 'node', 'pytest'] as const,
      default: 'jest',
      describe: 'test runner for which the test is printed',
    },
  },
  examples: [['$0 trace test a.trace > a.test.mjs', 'then run it in Jest']],
  notes:
    'The test sends the commands and presses the buttons of the session, and expects the same replies and texts.' +
    ' With pytest, the test uses the REST interface of a running emulator.',

  async run({ file, for: runner }, terminal) {
    const { renderTest } = await import('@zbc-signer/emulator/trace');
    const trace = await readTrace(file, terminal.signal);
    const name = trace.failure?.test ?? basename(file, '.trace');
    const source = renderTest(trace, runner, name);
    return { json: { for: runner, source }, text: source.trimEnd() };
  },
});
