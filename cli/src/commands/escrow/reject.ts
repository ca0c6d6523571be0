import { decisionCommand } from '../../transaction/decision.js';

export const command = decisionCommand('reject');
