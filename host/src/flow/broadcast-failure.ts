import { cleanText } from '@zbc-signer/chain';
import type { GatewayError } from '../errors.js';
import {
  GatewayBusyError,
  GatewayMalformedError,
  GatewayStatusError,
  GatewayUnreachableError,
} from '../gateway/errors.js';

/** Characters; what a gateway answers may be long each time. */
const MAX_SUMMARY = 1000;
/** A request that timed out on its way. */
const REQUEST_TIMEOUT = 408;

/** HTTP 429 or 503. */
export function isBusy(error: unknown): boolean {
  return error instanceof GatewayBusyError;
}

/** Whether nobody knows what became of a broadcast that failed like this. */
export function loses(error: unknown): boolean {
  return (
    (error instanceof GatewayUnreachableError && error.mayHaveLeft) ||
    error instanceof GatewayMalformedError ||
    (error instanceof GatewayStatusError && (error.status >= 500 || error.status === REQUEST_TIMEOUT))
  );
}

/** In few words: a status, or the reason without one. */
export function describe(error: GatewayError): string {
  if (error instanceof GatewayBusyError) return `HTTP ${error.status}`;
  if (error instanceof GatewayStatusError) {
    return `HTTP ${error.status}${error.nodeError && `: ${error.nodeError}`}`;
  }
  if (error instanceof GatewayUnreachableError) return error.reason;
  return error instanceof GatewayMalformedError ? error.fault : error.message;
}

/** In order; equal answers in a row are counted. */
export function summarise(answers: readonly string[]): string {
  const runs: { answer: string; times: number }[] = [];
  for (const answer of answers) {
    const last = runs.at(-1);
    if (last?.answer === answer) last.times += 1;
    else runs.push({ answer, times: 1 });
  }
  const words = runs.map(({ answer, times }) => (times === 1 ? answer : `${times} times ${answer}`));
  return cleanText(words.join('; '), MAX_SUMMARY);
}
