// In the place of network-fault.ts, by `imports` in package.json: a browser gives a page no reason.

/** As in Node. */
export function certificateFault(_error: unknown): string | undefined {
  return undefined;
}

/** As in Node. */
export function answerFault(_error: unknown): string | undefined {
  return undefined;
}

/** As in Node. */
export function connectionFault(_error: unknown, _url: string): string {
  return 'the connection failed';
}
