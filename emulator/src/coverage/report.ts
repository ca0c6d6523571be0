import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CoverageError } from '../errors.js';
import { writeWhole } from '../write-whole.js';
import { renderCoverage, renderMarkdown } from './page.js';
import { loadProbedFirmware, readCodeMap } from './probed-firmware.js';
import { readSessions } from './session-file.js';
import { type CoverageSummary, type Ratio, type SourceTally, type Tally, tally } from './tally.js';

/**
 * Reports the coverage that the emulators of all processes recorded in a directory
 * (EmulatorOptions.coverage). Writes these files into the directory: `lcov.info`; `screens.html` and
 * `screens.json`, with the elements of the protocol and the tests that saw them; and `screens.md`, for the
 * text of a pull request. May be called repeatedly, even while emulators run. Throws CoverageError.
 */
export async function writeCoverageReport(directory: string): Promise<CoverageSummary> {
  const firmware = await loadProbedFirmware();
  const { findings, foreign } = await readSessions(directory, firmware.digest).catch((error: Error) => {
    throw new CoverageError(`no coverage in ${directory}: ${error.message}`);
  });
  if (findings.length === 0) {
    const others = foreign === 0 ? '' : `; sessions of another firmware: ${foreign}`;
    throw new CoverageError(`no sessions of this firmware in ${directory}${others}`);
  }
  const reached = tally(findings, await readCodeMap(firmware));
  const summary = summarize(reached, foreign, directory);
  const things = reached.things.map(({ known, ...thing }) => (known ? thing : { ...thing, known }));
  const { files: _, ...figures } = summary;
  const contents = [
    formatLcov(reached.sources),
    renderCoverage(reached, summary),
    `${JSON.stringify({ ...figures, things }, undefined, 1)}\n`,
    renderMarkdown(summary),
  ];
  await mkdir(directory, { recursive: true });
  await Promise.all(summary.files.map((path, index) => writeWhole(path, contents[index]!)));
  return summary;
}

function summarize({ sources, things, tests }: Tally, foreign: number, directory: string): CoverageSummary {
  const lines = sources.flatMap(source => source.lines.map(line => line.tests));
  const ways = sources.flatMap(source => source.branches.flatMap(branch => branch.tests));
  const known = things.filter(thing => thing.known);
  const ratio = (counts: readonly number[]): Ratio => ({
    reached: counts.filter(Boolean).length,
    all: counts.length,
  });
  return {
    lines: ratio(lines),
    branches: ratio(ways),
    things: ratio(known.map(thing => thing.tests.length)),
    unseen: known.flatMap(({ kind, name, tests }) => (tests.length === 0 ? `${kind}: ${name}` : [])),
    tests,
    foreign,
    files: ['lcov.info', 'screens.html', 'screens.json', 'screens.md'].map(name => join(directory, name)),
  };
}

/** A tracefile of lcov: lines and branches, each with the number of tests that reached it. */
function formatLcov(sources: readonly SourceTally[]): string {
  return sources.map(formatSource).join('');
}

function formatSource({ source, lines, branches }: SourceTally): string {
  const ways = branches.flatMap(({ line, tests }, block) =>
    // A dash means that the decision itself was never reached.
    tests.map((count, way) => `BRDA:${line},${block},${way},${tests.some(Boolean) ? count : '-'}`),
  );
  const hits = branches.flatMap(({ tests }) => tests).filter(Boolean).length;
  return [
    'TN:',
    `SF:${source}`,
    ...ways,
    `BRF:${ways.length}`,
    `BRH:${hits}`,
    ...lines.map(({ line, tests }) => `DA:${line},${tests}`),
    `LF:${lines.length}`,
    `LH:${lines.filter(({ tests }) => tests > 0).length}`,
    'end_of_record\n',
  ].join('\n');
}
