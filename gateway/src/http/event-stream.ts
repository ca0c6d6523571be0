import type { IncomingHttpHeaders } from 'node:http';

export const EVENT_STREAM = 'text/event-stream';

/** Whether a GET with these headers accepts only events. */
export function asksForEvents({ accept }: IncomingHttpHeaders): boolean {
  return accept !== undefined && accept.trim().toLowerCase() === EVENT_STREAM;
}
