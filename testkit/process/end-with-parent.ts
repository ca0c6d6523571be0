// Preloaded into the processes that tests start: they end when their parent is gone, for any reason.
import { Socket } from 'node:net';

/** A pipe to the parent, which never writes to it. */
const LIFELINE = 3;

// A forked worker has its channel there instead, and ends with it.
if (process.channel === undefined) {
  new Socket({ fd: LIFELINE })
    .on('close', () => process.exit(1))
    .resume()
    .unref();
}
