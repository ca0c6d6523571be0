import { readFile } from 'node:fs/promises';
import { CoverageError } from '../errors.js';
import { type CoverageSummary, percentOf, type Ratio } from './tally.js';

type Baseline = Pick<CoverageSummary, 'lines' | 'branches' | 'unseen'>;

/**
 * Compares with the `screens.json` of an earlier run. Returns one text for each regression: a lower ratio, or
 * an element of the protocol that is no longer seen. Throws CoverageError if the file is not such a report.
 */
export async function compareWithBaseline(summary: CoverageSummary, path: string): Promise<string[]> {
  const before = await readBaseline(path);
  const ratios = (['lines', 'branches'] as const).flatMap(name =>
    share(summary[name]) < share(before[name])
      ? `${name}: ${percentOf(summary[name])}, but ${percentOf(before[name])} in ${path}`
      : [],
  );
  const lost = summary.unseen.filter(name => !before.unseen.includes(name));
  return [...ratios, ...lost.map(name => `no longer seen: ${name}`)];
}

async function readBaseline(path: string): Promise<Baseline> {
  let read: Partial<Record<string, unknown>>;
  try {
    read = Object(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    throw new CoverageError(`the baseline ${path} cannot be read: ${(error as Error).message}`);
  }
  const { lines, branches, unseen } = read;
  if (!isRatio(lines) || !isRatio(branches) || !Array.isArray(unseen))
    throw new CoverageError(`the baseline ${path} is not the screens.json of a coverage report`);
  return { lines, branches, unseen };
}

function isRatio(json: unknown): json is Ratio {
  const { reached, all } = Object(json) as Partial<Record<string, unknown>>;
  return typeof reached === 'number' && typeof all === 'number' && all > 0;
}

const share = ({ reached, all }: Ratio) => reached / all;
