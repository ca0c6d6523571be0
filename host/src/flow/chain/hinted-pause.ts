import { eitherSignal, throwIfAborted } from '../../cancellation.js';
import type { GatewayStep } from '../step.js';

/**
 * As `Clock.sleep`, but one of them ends early when the gateway's events, where it has them, tell of the
 * confirmation. `isKnown` once the chain knows the transaction; what is listened to is left at `end`.
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
      // It broke off, or is as old as a request may be.
    }
    isOpen = false;
  };

  return async (durationMs, isKnown) => {
    // Another follows one that outlived a pause only: a gateway that refuses them is asked once.
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
