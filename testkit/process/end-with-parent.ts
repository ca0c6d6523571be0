// Preloaded into the processes that tests start, so that they end when their parent ends for any reason.
import { Socket } from 'node:net';

/** Descriptor of a pipe from the parent. The parent never writes to it. */
const LIFELINE = 3;

// A process with an IPC channel has the channel at this descriptor, and ends when the channel closes.
if (process.channel === undefined) {
  new Socket({ fd: LIFELINE })
    .on('close', () => process.exit(1))
    .resume()
    .unref();
}
