// Rebuilds one workspace file by file in a separate thread, where the firmware's compiler stays loaded.
import { parentPort, workerData } from 'node:worker_threads';
import { rebuild } from './build.js';

parentPort?.on('message', async (path: string) => {
  const fault = await rebuild(workerData as string, path).then(
    () => undefined,
    (error: Error) => error.message,
  );
  parentPort?.postMessage(fault);
});
