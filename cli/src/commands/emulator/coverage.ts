import { exitCode } from '../../errors/exit-codes.js';
import { defineCommand } from '../../parser/command.js';

/** Reports which screens, decisions and refusals of the device the tests of any test tool have seen. */
export const command = defineCommand({
  arguments: {
    directory: {
      demandOption: true,
      describe: 'directory of --coverage or ZBC_SIGNER_COVERAGE',
    },
  },
  options: {
    baseline: { describe: 'fail if something in this screens.json of an earlier run is no longer seen' },
  },
  examples: [
    ['ZBC_SIGNER_COVERAGE=coverage npx jest; $0 emulator coverage coverage', 'Jest, Zemu or Ragger'],
    ['$0 emulator coverage coverage --baseline test/screens.json', 'exits with code 16 if coverage was lost'],
  ],
  notes: 'The command writes screens.json and screens.md into the directory.',

  async run({ directory, baseline }, terminal) {
    const { compareWithBaseline, writeCoverageReport } = await import('@zbc-signer/emulator');
    const summary = await writeCoverageReport(directory);
    const lower = baseline === undefined ? [] : await compareWithBaseline(summary, baseline);
    if (lower.length > 0) terminal.exitCode = exitCode('nonconforming');
    const { tests, things, unseen, files } = summary;
    return {
      json: { ...summary, tests: tests.length, lower },
      text: [
        `${tests.length} tests or sessions saw ${things.reached} of ${things.all} elements of the protocol.`,
        ...unseen.map(name => `Not seen: ${name}`),
        `Written: ${files.join(', ')}`,
        ...lower.map(line => `Failed: ${line}`),
      ].join('\n'),
    };
  },
});
