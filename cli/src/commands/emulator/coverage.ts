import type { CoverageSummary, Ratio } from '@zbc-signer/emulator';
import { UsageError } from '../../errors/errors.js';
import { exitCode } from '../../errors/exit-codes.js';
import { defineCommand } from '../../parser/command.js';

const PERCENT = /^(?:100|\d{1,2})(?:\.\d+)?$/;

/** Reports the coverage of the firmware that tests with any test tool have reached. */
export const command = defineCommand({
  arguments: {
    directory: {
      demandOption: true,
      describe: 'directory of --coverage or ZBC_SIGNER_COVERAGE',
    },
  },
  options: {
    'min-branches': { describe: 'fail below this percentage of branches' },
    baseline: { describe: 'fail if less is covered than in this screens.json of an earlier run' },
  },
  examples: [
    ['ZBC_SIGNER_COVERAGE=coverage npx jest; $0 emulator coverage coverage', 'Jest, Zemu or Ragger'],
    ['$0 emulator coverage coverage --baseline test/screens.json', 'exits with code 16 if coverage was lost'],
  ],
  notes: 'The command writes lcov.info, screens.html, screens.json and screens.md into the directory.',

  async run({ directory, minBranches = '0', baseline }, terminal) {
    if (!PERCENT.test(minBranches))
      throw new UsageError('--min-branches must be a percentage', 'For example: --min-branches 85.5');
    const { compareWithBaseline, writeCoverageReport } = await import('@zbc-signer/emulator');
    const summary = await writeCoverageReport(directory);
    const lower = baseline === undefined ? [] : await compareWithBaseline(summary, baseline);
    const { reached, all } = summary.branches;
    if (100 * reached < Number(minBranches) * all)
      lower.unshift(`branches: ${describeRatio(summary.branches)}, below ${minBranches} %`);
    if (lower.length > 0) terminal.exitCode = exitCode('nonconforming');
    const failed = lower.map(line => `Failed: ${line}`);
    return {
      json: { ...summary, tests: summary.tests.length, lower },
      text: [describe(summary), ...failed].join('\n'),
    };
  },
});

function describe({ tests, lines, branches, things, foreign, files }: CoverageSummary): string {
  return [
    `${tests.length} tests or sessions reached`,
    `  lines     ${describeRatio(lines)}`,
    `  branches  ${describeRatio(branches)}`,
    `  protocol  ${describeRatio(things)}`,
    ...(foreign === 0 ? [] : [`${foreign} sessions of another firmware were left out.`]),
    `Written: ${files.join(', ')}`,
  ].join('\n');
}

function describeRatio({ reached, all }: Ratio): string {
  return `${reached} of ${all} (${((100 * reached) / all).toFixed(1)} %)`;
}
