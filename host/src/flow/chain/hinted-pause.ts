import { eitherSignal, throwIfAborted } from '../../cancellation.js';
import type { GatewayStep } from '../flow-step.js';

/**
 * Like `Clock.sleep`, but one pause ends early if the gateway's events report the confirmation. `isKnown`
 * returns true once the chain knows the transaction; `end` stops listening.
 */
export function hintedPauses(
  { gateway, clock, request }: GatewayStep,
  hash: Uint8Array,
  end: AbortSignal,
): (durationMs: number, isKnown: boolean) => Promise<void> {
  let isOpen = false;
  let mayOpen = true;
  let heard = new AbortController();

  const listen = async () => {
    isOpen = true;
    mayOpen = false;
    try {
      if (await gateway.hearsConfirmed(hash, { signal: end })) {
        heard.abort();
        mayOpen = false;
      }
    } catch {
      // The stream broke off, or reached the time limit of a request.
    }
    isOpen = false;
  };

  return async (durationMs, isKnown) => {
    // A new stream follows only one that outlived a pause, so that a gateway that refuses streams is asked
    // once.
    if (isOpen) mayOpen = true;
    else if (mayOpen && isKnown) void listen();
    try {
      await clock.sleep(durationMs, eitherSignal(request.signal, heard.signal));
    } catch (error) {
      throwIfAborted(request.signal);
      if (!heard.signal.aborted) throw error;
      heard = new AbortController();
    }
  };
}
