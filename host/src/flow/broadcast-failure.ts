import { cleanText } from '@zbc-signer/chain';
import type { GatewayError } from '../errors.js';
import {
  GatewayBusyError,
  GatewayMalformedError,
  GatewayStatusError,
  GatewayUnreachableError,
} from '../gateway/errors.js';

/** Maximum length of a summary in characters. A gateway's answers may be long. */
const MAX_SUMMARY = 1000;
/** HTTP status of a request that did not reach the gateway in time. */
const REQUEST_TIMEOUT = 408;

/** Whether the status is HTTP 429 or 503. */
export function isBusy(error: unknown): boolean {
  return error instanceof GatewayBusyError;
}

/** Whether the outcome of a broadcast with this failure is unknown. */
export function isOutcomeUnknown(error: unknown): boolean {
  return (
    (error instanceof GatewayUnreachableError && error.mayHaveLeft) ||
    error instanceof GatewayMalformedError ||
    (error instanceof GatewayStatusError && (error.status >= 500 || error.status === REQUEST_TIMEOUT))
  );
}

/** Describes an error briefly: by its HTTP status or, without a status, by its reason. */
export function describeFailedBroadcast(error: GatewayError): string {
  if (error instanceof GatewayBusyError) return `HTTP ${error.status}`;
  if (error instanceof GatewayStatusError) {
    return `HTTP ${error.status}${error.nodeError && `: ${error.nodeError}`}`;
  }
  if (error instanceof GatewayUnreachableError) return error.reason;
  return error instanceof GatewayMalformedError ? error.fault : error.message;
}

/** Lists answers in order. Equal consecutive answers are listed once, with their number. */
export function summariseAnswers(answers: readonly string[]): string {
  const runs: { answer: string; times: number }[] = [];
  for (const answer of answers) {
    const last = runs.at(-1);
    if (last?.answer === answer) last.times += 1;
    else runs.push({ answer, times: 1 });
  }
  const words = runs.map(({ answer, times }) => (times === 1 ? answer : `${times} times ${answer}`));
  return cleanText(words.join('; '), MAX_SUMMARY);
}
