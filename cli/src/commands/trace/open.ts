import { basename } from 'node:path';
import { requireOtherFile, writeBytes } from '../../input/files.js';
import { defineCommand } from '../../parser/command.js';
import { readTrace, TRACE_ARGUMENT } from './file.js';
import { formatSteps, stepJson } from './listing.js';

export const command = defineCommand({
  arguments: { file: TRACE_ARGUMENT },
  options: { html: { describe: 'write one HTML file with every screen, which works offline' } },
  examples: [['$0 trace open a.trace --html a.html', 'then open a.html in a browser']],
  notes:
    'The command lists the steps; the page of --html shows every screen. A trace contains commands, replies and' +
    ' screens, but no seed.',

  async run({ file, html }, terminal) {
    const { describeTrace, renderTracePage } = await import('@zbc-signer/emulator/trace');
    if (html !== undefined) await requireOtherFile(file, '--html', html);
    const trace = await readTrace(file, terminal.signal);
    const last = trace.steps.length;
    if (html !== undefined) {
      const page = renderTracePage(trace, basename(file));
      await writeBytes(html, page, { secret: true, force: true });
      const bytes = Buffer.byteLength(page);
      return { json: { file: html, bytes, steps: last }, text: `${html}: ${last} steps, ${bytes} bytes` };
    }
    const steps = describeTrace(trace);
    const failedAt = trace.failure?.step ?? null;
    return {
      json: terminal.json && { seed: trace.seed, failed_at: failedAt, steps: steps.map(stepJson) },
      text: formatSteps(steps),
    };
  },
});
