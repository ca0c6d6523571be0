export { once } from './base/async-stack.js';
export { RequestError } from './base/errors.js';
export type { NodeAddress } from './base/node-address.js';
export { createJsonApp, sendError } from './http/json-app.js';
export { type ListenOptions, LOOPBACK, listen, localAddress } from './http/listen.js';
export { asksOneNode } from './proxy/request-checks.js';
