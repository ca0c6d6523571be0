/**
 * Returns the number of cases that a test tries. With `ALL_CASES=1`, which `make prove ONLY=all-cases` sets,
 * these are all cases. Otherwise it is one case in `share`.
 */
export function caseCount(all: number, share = 10): number {
  return process.env.ALL_CASES === '1' ? all : Math.ceil(all / share);
}

/** Returns `caseCount` cases, which are spread over the list. */
export function someOf<Case>(cases: readonly Case[], share = 10): readonly Case[] {
  const length = caseCount(cases.length, share);
  return Array.from({ length }, (_, at) => cases[Math.floor((at * cases.length) / length)]!);
}
