import { renderJunit } from '@zbc-signer/emulator/junit';
import type { SnapshotChange } from '@zbc-signer/emulator/snapshots';
import { exitCode } from '../../errors/exit-codes.js';
import { writeBytes } from '../../input/files.js';
import { formatColumns } from '../../output/table.js';
import { defineCommand } from '../../parser/command.js';
import { changeJson, DIRECTORY_ARGUMENT, describeLeftOut, searchSnapshots } from './search.js';

export const command = defineCommand({
  arguments: { directory: DIRECTORY_ARGUMENT },
  options: {
    html: {
      describe: 'write one HTML file with before, after and difference, which works offline',
    },
    junit: { describe: 'file to write JUnit XML to' },
  },
  examples: [
    [
      '$0 snapshots list',
      'after a run of Jest, Zemu or Ragger; exits with code 16 if a snapshot has changed',
    ],
    ['$0 snapshots list tests --html differences.html', 'then open it in a browser'],
  ],
  notes:
    "The command finds the pictures that expectSnapshots has left in directories '…-failed'. It also finds those" +
    " that Zemu and Ragger have left in 'snapshots-tmp', if they differ from 'snapshots'.",

  async run({ directory, html, junit }, terminal) {
    const { changes, leftOut } = await searchSnapshots(directory);
    if (html !== undefined) {
      const { renderSnapshotPage } = await import('@zbc-signer/emulator/snapshots');
      await writeBytes(html, await renderSnapshotPage(changes, { leftOut }), { force: true });
    }
    if (junit !== undefined) await writeBytes(junit, renderChanges(changes), { force: true });
    if (changes.length > 0) terminal.exitCode = exitCode('nonconforming');
    const rows = changes.map(({ name, kind, texts }) => [kind, name, texts]);
    const table = formatColumns(['Change', 'Snapshot', 'Texts'], rows, 'No changed snapshots.');
    const next = changes.length === 0 ? '' : 'To approve them: zbc-signer snapshots review';
    return {
      json: { changes: changes.map(changeJson), left_out: leftOut },
      text: [table, describeLeftOut(leftOut), next].filter(line => line !== '').join('\n'),
    };
  },
});

function renderChanges(changes: readonly SnapshotChange[]): string {
  const cases = changes.map(({ name, kind, texts, test, trace, shownPath }) => ({
    className: test ?? 'snapshots',
    name,
    milliseconds: 0,
    outcome: 'failed' as const,
    message: [`${kind}${texts === '' ? '' : `: ${texts}`}`, trace && `trace: ${trace}`]
      .filter(Boolean)
      .join('\n'),
    attachments: [shownPath, trace].filter(path => path !== undefined),
  }));
  return renderJunit('snapshots', [{ name: 'snapshots', cases }]);
}
