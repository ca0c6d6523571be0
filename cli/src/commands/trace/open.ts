import { basename } from 'node:path';
import { requireOtherFile, writeBytes } from '../../input/files.js';
import { parseWhole } from '../../input/values.js';
import { defineCommand } from '../../parser/command.js';
import { readTrace, TRACE_ARGUMENT } from './file.js';
import { formatStep, formatSteps, hasText, stepJson } from './listing.js';

export const command = defineCommand({
  arguments: { file: TRACE_ARGUMENT },
  options: {
    at: { describe: 'step to show, 0 for the start' },
    search: { describe: 'list the steps that contain this text' },
    html: {
      describe: 'write one HTML file with a time line, which works offline',
    },
  },
  examples: [['$0 trace open a.trace --html a.html', 'then open a.html in a browser']],
  notes:
    'The command lists the steps; the page of --html shows every screen. A trace contains commands, replies and' +
    ' screens, but no seed.',

  async run({ file, at, search, html }, terminal) {
    const { describeTrace, renderTracePage } = await import('@zbc-signer/emulator/trace');
    if (html !== undefined) await requireOtherFile(file, '--html', html);
    const trace = await readTrace(file, terminal.signal);
    const last = trace.steps.length;
    if (html !== undefined) {
      const page = await renderTracePage(trace, basename(file));
      await writeBytes(html, page, { secret: true, force: true });
      const bytes = Buffer.byteLength(page);
      return { json: { file: html, bytes, steps: last }, text: `${html}: ${last} steps, ${bytes} bytes` };
    }
    const all = describeTrace(trace);
    const step = at === undefined ? undefined : parseWhole('--at', at, last);
    const found = all.filter(
      each => (search === undefined || hasText(each, search)) && each.step === (step ?? each.step),
    );
    const { failure } = trace;
    if (terminal.json) {
      return {
        json: { seed: trace.seed, failed_at: failure?.step ?? null, steps: found.map(stepJson) },
        text: '',
      };
    }
    const text =
      step !== undefined && found[0] !== undefined ? formatStep(found[0], last) : formatSteps(found);
    return { json: {}, text };
  },
});
