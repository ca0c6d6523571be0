export { localhostFetch } from '#cli/connection/gateway.js';
