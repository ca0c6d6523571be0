import { RequestError } from '../errors.js';
import type { NodeFault } from '../upstream/node-fault.js';

export function nobodyAnswers(missing: 'node' | 'archival node'): RequestError {
  return new RequestError(503, `No ${missing} answers at the moment`);
}

/** 504 for what came too late, else 502; the warning is added when the request may have reached the node. */
export function faultError(fault: NodeFault, warning?: string): RequestError {
  const late = fault.kind === 'timeout' || fault.kind === 'unreachable-in-time';
  const text = `The node ${fault.message}`;
  return new RequestError(
    late ? 504 : 502,
    warning !== undefined && fault.sent ? `${text}; ${warning}` : text,
  );
}
