export { localhostFetch } from '#cli/connection/localhost-fetch.js';
