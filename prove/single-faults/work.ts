// Runs one session with all its faults in a thread.
import { parentPort, workerData } from 'node:worker_threads';
import { type Extent, tryFaults } from './campaign.js';
import { subjectOf } from './subject.js';

const { path, session, extent } = workerData as { path: string; session: number; extent: Extent };
parentPort!.postMessage(tryFaults(await subjectOf(path), path, session, extent));
