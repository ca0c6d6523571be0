/**
 * How many of its random cases a test tries: all with `ALL_CASES=1`, as `make random` sets it, else one in
 * ten.
 */
export function caseCount(all: number): number {
  return process.env.ALL_CASES === '1' ? all : Math.ceil(all / 10);
}
