export { writeReleases } from '#devnet/node/development-data/releases.js';
