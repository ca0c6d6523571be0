import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { env } from 'node:process';
import { FileJournal } from '@zbc-signer/host/node';
import type { Terminal } from '../output/terminal.js';

/**
 * The journal of this user's payments, `zbc-signer/payments` in the directory for state of the XDG Base Directory
 * Specification, which ignores relative paths.
 */
export function openJournal(): FileJournal {
  const base = env.XDG_STATE_HOME ?? '';
  return new FileJournal(
    join(isAbsolute(base) ? base : join(homedir(), '.local/state'), 'zbc-signer/payments'),
  );
}

/** Says that earlier payments wait to be settled. A journal that cannot be read stops the payment itself. */
export async function reportPending(journal: FileJournal, terminal: Terminal): Promise<void> {
  const pending = await journal.pending().catch(() => []);
  const count = pending.filter(({ isInFlight }) => isInFlight !== true).length;
  if (count === 0) return;
  const subject = count === 1 ? 'One earlier payment is' : `${count} earlier payments are`;
  terminal.report(`${subject} not settled: see \`zbc-signer payments list\``);
}
