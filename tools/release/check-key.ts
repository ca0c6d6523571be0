// Fails if the key must not sign a release, or if the sources are not committed. Usage: check-key.js KEY.pem
// [KEY.pub...].
import { fileURLToPath } from 'node:url';
import { readReleaseKey, runTool } from '../image/key-files.js';
import { refuseChanges } from './sources.js';

const [file, ...keyFiles] = process.argv.slice(2);
runTool(() => {
  if (!file) throw new Error('usage: check-key.js KEY.pem [KEY.pub...]');
  readReleaseKey(file, keyFiles);
  refuseChanges(fileURLToPath(new URL('../../..', import.meta.url)));
});
