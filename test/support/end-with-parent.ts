// Preloaded into the processes that tests start: they end when whoever started them is gone, however it went.
import { Socket } from 'node:net';

/** A pipe to whoever started this process; that one never writes to it. */
const LIFELINE = 3;

// A worker that such a process forks has its channel there, and ends with it.
if (process.channel === undefined) {
  new Socket({ fd: LIFELINE })
    .on('close', () => process.exit(1))
    .resume()
    .unref();
}
