import type { ChildProcess } from 'node:child_process';

/** A process of a server, which SIGTERM ends. */
export interface Server {
  child: ChildProcess;
  /** Without a slash at the end. */
  url: string;
  port: number;
}
