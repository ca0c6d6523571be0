export { ExplorerClient } from './gateway/explorer-client.js';
export type { Release, ReleaseFile } from './gateway/records/release.js';
