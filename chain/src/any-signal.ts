/**
 * Returns a signal that fires as soon as one of the two signals fires. The returned signal references both,
 * because Node's AbortSignal.any does not: an AbortSignal.timeout could be garbage-collected before it fires
 * (nodejs/node#57736, #65995).
 */
export function anySignal(signal: AbortSignal | undefined, other: AbortSignal): AbortSignal {
  if (signal === undefined) return other;
  const sources = [signal, other];
  return Object.assign(AbortSignal.any(sources), { sources });
}
