export { REMEDIES } from './generated/remedies.js';
