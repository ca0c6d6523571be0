import { RequestError } from '../base/errors.js';
import type { NodeFault } from '../upstream/node-fault.js';

export function noNodeAvailable(missing: 'node' | 'archival node'): RequestError {
  return new RequestError(503, `No ${missing} is available`);
}

/** 504 for timeouts, else 502; with the warning if the request may have reached the node. */
export function faultError(fault: NodeFault, warning?: string): RequestError {
  if (fault.kind === 'busy') return new RequestError(503, 'The nodes are overloaded');
  const late = fault.kind === 'timeout' || fault.kind === 'unreachable-in-time';
  const text = `The node ${fault.message}`;
  return new RequestError(
    late ? 504 : 502,
    warning !== undefined && fault.sent ? `${text}; ${warning}` : text,
  );
}
