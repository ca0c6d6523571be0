import type { CoverageSummary, Ratio } from '@zbc-signer/emulator';
import { defineCommand } from '../../parser/command.js';

/** Reports what the emulators of any test tool have reached. */
export const command = defineCommand({
  arguments: {
    directory: {
      demandOption: true,
      describe: 'that of --coverage or ZBC_SIGNER_COVERAGE',
    },
  },
  examples: [
    ['ZBC_SIGNER_COVERAGE=coverage npx jest; $0 emulator coverage coverage', 'Jest, Zemu or Ragger'],
  ],
  notes: 'It writes lcov.info, screens.html and screens.json into the directory.',

  async run({ directory }) {
    const { writeCoverageReport } = await import('@zbc-signer/emulator');
    const { tests, ...summary } = await writeCoverageReport(directory);
    return { json: { ...summary, tests: tests.length }, text: describe(summary, tests.length) };
  },
});

function describe(summary: Omit<CoverageSummary, 'tests'>, tests: number): string {
  const { lines, branches, things, foreign, files } = summary;
  return [
    `${tests} tests or sessions reached`,
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
