/**
 * How many of its cases a test tries: all with `ALL_CASES=1`, as `make all-cases` sets it, else one in ten.
 */
export function caseCount(all: number): number {
  return process.env.ALL_CASES === '1' ? all : Math.ceil(all / 10);
}

/** As many of the cases, spread over the list. */
export function someOf<Case>(cases: readonly Case[]): readonly Case[] {
  const step = cases.length / caseCount(cases.length);
  return Array.from({ length: caseCount(cases.length) }, (_, at) => cases[Math.floor(at * step)]!);
}
