// One thread for each workspace: it keeps the compiler of the firmware warm.
import { parentPort, workerData } from 'node:worker_threads';
import type { PlantedFault } from './fault.js';
import { tryFault } from './trial.js';

const { workspace, onlyListed } = workerData as { workspace: string; onlyListed: boolean };
parentPort?.on('message', async (fault: PlantedFault) => {
  parentPort?.postMessage(await tryFault(workspace, fault, onlyListed));
});
