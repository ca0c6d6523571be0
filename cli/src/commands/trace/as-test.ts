import { basename } from 'node:path';
import { defineCommand } from '../../parser/command.js';
import { readTrace, TRACE_ARGUMENT } from './file.js';

export const command = defineCommand({
  arguments: { file: TRACE_ARGUMENT },
  options: {
    for: {
      choices: ['jest', 'vitest', 'node', 'pytest'] as const,
      default: 'jest',
      describe: 'test runner',
    },
  },
  examples: [['$0 trace test a.trace > a.test.mjs', 'then run it in Jest']],
  notes:
    'The test sends and presses what the session did, and expects its replies and the texts of its screens.' +
    ' For pytest it does so over the REST interface of a running emulator.',

  async run({ file, for: runner }, terminal) {
    const { renderTest } = await import('@zbc-signer/emulator/trace');
    const recording = await readTrace(file, terminal.signal);
    const name = recording.failure?.test ?? basename(file, '.trace');
    const source = renderTest(recording, runner, name);
    return { json: { for: runner, source }, text: source.trimEnd() };
  },
});
