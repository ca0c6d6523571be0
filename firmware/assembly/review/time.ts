import { putDecimal, putPadded, putText } from './format';
import { Items } from './items';

const SECONDS_A_DAY: u64 = 86400;
/** 10000-01-01 00:00:00 UTC, the end of four-digit years. */
const YEAR_10000: u64 = 253402300800;

/** Appends a time in the form `2027-01-15 08:00:00 UTC`, or `N (Unix seconds)` after the year 9999. */
export function putTime(items: Items, seconds: u64): void {
  if (seconds >= YEAR_10000) {
    putDecimal(items, seconds);
    putText(items, ' (Unix seconds)');
    return;
  }
  putDate(items, <u32>(seconds / SECONDS_A_DAY));
  putClock(items, <u32>(seconds % SECONDS_A_DAY));
  putText(items, ' UTC');
}

function putClock(items: Items, second: u32): void {
  putText(items, ' ');
  putPadded(items, second / 3600, 2);
  putText(items, ':');
  putPadded(items, (second / 60) % 60, 2);
  putText(items, ':');
  putPadded(items, second % 60, 2);
}

/**
 * Appends the Gregorian date of a day, which is counted from 1970-01-01. The calculation uses eras of 400
 * years and years that begin in March.
 */
function putDate(items: Items, day: u32): void {
  const shifted = day + 719468;
  const era = shifted / 146097;
  const dayOfEra = shifted % 146097;
  const yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146096) / 365;
  const dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
  const marchMonth = (5 * dayOfYear + 2) / 153;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  putPadded(items, year, 4);
  putText(items, '-');
  putPadded(items, month, 2);
  putText(items, '-');
  putPadded(items, dayOfYear - (153 * marchMonth + 2) / 5 + 1, 2);
}
