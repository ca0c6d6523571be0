// A thread's session with all its faults.
import { parentPort, workerData } from 'node:worker_threads';
import { Campaign } from './faults.js';
import { SESSIONS } from './session.js';

const { path, session } = workerData as { path: string; session: number };
const campaign = await Campaign.open(path, SESSIONS[session]!);
campaign.flipState();
campaign.flipConstants();
campaign.invertBranches();
parentPort!.postMessage(campaign.outcome);
