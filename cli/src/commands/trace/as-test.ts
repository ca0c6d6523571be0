import { basename } from 'node:path';
import type { TestRunner } from '@zbc-signer/emulator/trace';
import { UsageError } from '../../errors/errors.js';
import { defineCommand } from '../../parser/command.js';
import { readTrace, TRACE_ARGUMENT } from './file.js';

export const command = defineCommand({
  arguments: { file: TRACE_ARGUMENT },
  options: {
    for: { describe: 'jest, vitest, node or pytest [jest]' },
  },
  examples: [['$0 trace test a.trace > a.test.ts', 'then run it in Jest']],
  notes:
    'The test sends and presses what the session did, and expects its replies and the texts of its screens.' +
    ' For pytest it does so over the REST interface of a running emulator.',

  async run({ file, for: runner = 'jest' }, terminal) {
    const { renderTest, TEST_RUNNERS } = await import('@zbc-signer/emulator/trace');
    if (!TEST_RUNNERS.includes(runner as TestRunner)) {
      throw new UsageError(`--for must be one of ${TEST_RUNNERS.join(', ')}`);
    }
    const recording = await readTrace(file, terminal.signal);
    const name = recording.failure?.test ?? basename(file, '.trace');
    const source = renderTest(recording, runner as TestRunner, name);
    return { json: { for: runner, source }, text: source.trimEnd() };
  },
});
