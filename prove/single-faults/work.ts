// Runs one session with all its faults in a thread.
import { parentPort, workerData } from 'node:worker_threads';
import { FaultCampaign } from './faults.js';
import { isWhole, SESSIONS } from './session.js';

const { path, session, long } = workerData as { path: string; session: number; long: boolean };
const whole = isWhole(SESSIONS[session]!);
const campaign = FaultCampaign.open(path, SESSIONS[session]!);
if (long) {
  campaign.invertBranches(true);
  campaign.flipConstantsAlways();
  if (!whole) campaign.flipState();
} else {
  if (whole) campaign.flipState();
  if (whole) campaign.flipConstants();
  campaign.invertBranches();
}
parentPort!.postMessage(campaign.outcome);
