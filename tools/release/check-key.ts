// Fails if the key must not sign a release, the sources are not committed, or the version exists or has no tag. Usage: check-key.js KEY.pem|-
// [KEY.pub...].
import { fileURLToPath } from 'node:url';
import { FIRMWARE_VERSION } from '@zbc-signer/protocol/commands';
import { readLoaderKeys, readReleaseKey, runTool, UNSIGNED } from '../image/key-files.js';
import { refuseVersion } from './releases.js';
import { refuseChanges } from './sources.js';

const [file, ...keyFiles] = process.argv.slice(2);
runTool(() => {
  if (!file) throw new Error('usage: check-key.js KEY.pem [KEY.pub...]');
  if (file === UNSIGNED) readLoaderKeys(file, keyFiles);
  else readReleaseKey(file, keyFiles);
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  refuseChanges(root);
  refuseVersion(root, FIRMWARE_VERSION);
});
