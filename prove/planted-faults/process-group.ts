import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { execPath } from 'node:process';

const leaders = new Set<number>();
process.on('exit', () => leaders.forEach(killGroup));

/**
 * Runs node as the leader of a process group, so that no process of a test outlives the run. The output goes
 * to a file, because a remaining process would hold a pipe open. Returns false on a timeout.
 */
export async function runGroup(
  command: string[],
  run: { cwd: string; env: NodeJS.ProcessEnv; outputFile: string; timeLimitMs: number },
): Promise<boolean> {
  const output = openSync(run.outputFile, 'w');
  const leader = spawn(execPath, command, {
    cwd: run.cwd,
    env: run.env,
    stdio: ['ignore', output, output],
    detached: true,
    timeout: run.timeLimitMs,
    killSignal: 'SIGKILL',
  });
  closeSync(output);
  const pid = leader.pid!;
  leaders.add(pid);
  const [, signal] = (await once(leader, 'exit')) as [number | null, NodeJS.Signals | null];
  leaders.delete(pid);
  killGroup(pid);
  return signal !== 'SIGKILL';
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // The group has no process left.
  }
}
