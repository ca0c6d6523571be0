// Preloaded into the processes that tests start, so that they end if their parent does, for any reason.
import { Socket } from 'node:net';

/** A pipe to the parent, which never writes to it. */
const LIFELINE = 3;

// A forked worker has its channel at this descriptor, and ends with it.
if (process.channel === undefined) {
  new Socket({ fd: LIFELINE })
    .on('close', () => process.exit(1))
    .resume()
    .unref();
}
