import { AbortedError } from '@zbc-signer/chain';

/** Throws AbortedError once the signal has fired. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new AbortedError(signal.reason);
}

/**
 * Returns a signal that fires as soon as one of the two signals fires. The returned signal references both,
 * because Node's AbortSignal.any does not: an AbortSignal.timeout could be garbage-collected before it fires
 * (nodejs/node#57736, #65995).
 */
export function eitherSignal(signal: AbortSignal | undefined, other: AbortSignal): AbortSignal {
  if (signal === undefined) return other;
  const sources = [signal, other];
  if (typeof AbortSignal.any === 'function') return Object.assign(AbortSignal.any(sources), { sources });
  const either = new AbortController();
  for (const source of sources) {
    if (source.aborted) either.abort(source.reason);
    else source.addEventListener('abort', () => either.abort(source.reason), { once: true });
  }
  return either.signal;
}

/** Returns a signal that fires after `timeoutMs`. React Native's engine lacks AbortSignal.timeout. */
export function timeoutSignal(timeoutMs: number): AbortSignal {
  if (typeof AbortSignal.timeout === 'function') return AbortSignal.timeout(timeoutMs);
  const timeout = new AbortController();
  setTimeout(() => timeout.abort(), timeoutMs);
  return timeout.signal;
}

/** Settles like the promise, or rejects with AbortedError as soon as the signal fires. */
export function untilAborted<Result>(
  promise: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(new AbortedError(signal.reason));
    signal.addEventListener('abort', abort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    if (signal.aborted) abort();
  });
}
