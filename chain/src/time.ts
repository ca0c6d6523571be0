/** The last time that is shown as a date: 9999-12-31 23:59:59 UTC. */
const LAST_DATE_SECONDS = 253402300799n;

/** Formats Unix seconds as `2027-01-15 08:00:00 UTC`; after the year 9999 as `N (Unix seconds)`. */
export function formatTime(seconds: bigint): string {
  return seconds > LAST_DATE_SECONDS
    ? `${seconds} (Unix seconds)`
    : `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
