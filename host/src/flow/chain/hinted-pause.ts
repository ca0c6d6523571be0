import { eitherSignal, throwIfAborted } from '../../cancellation.js';
import type { GatewayStep } from '../flow-step.js';

/**
 * Returns a function like `Clock.sleep`, except that a pause ends early when the gateway's events report the
 * confirmation. Events are requested only while `isKnown`, that is, once the chain knows the transaction.
 * `end` stops listening.
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
    // Another stream is requested only if the previous one stayed open for a pause, so that a gateway that
    // refuses streams is asked once.
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
