// Runs one session with all its faults in a thread.
import { parentPort, workerData } from 'node:worker_threads';
import { FaultCampaign } from './faults.js';
import { SESSIONS, WHOLE } from './session.js';

const { path, session, long } = workerData as { path: string; session: number; long: boolean };
const campaign = FaultCampaign.open(path, SESSIONS[session]!);
if (long) {
  campaign.invertBranches(true);
  campaign.flipConstantsAlways();
  if (session >= WHOLE) campaign.flipState();
} else {
  if (session < WHOLE) campaign.flipState();
  if (session < WHOLE) campaign.flipConstants();
  campaign.invertBranches();
}
parentPort!.postMessage(campaign.outcome);
