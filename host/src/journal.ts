export { journalDamagedError, journalErrorBeforeSending } from './flow/errors.js';
export {
  broadcastStateAfter,
  duplicateKey,
  findUnsettled,
  isSettled,
  keptBroadcastState,
} from './flow/journal/journal.js';
