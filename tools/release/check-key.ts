// Refuses keys that make no release: check-key.js KEY.pem [KEY.pub...].
import { readReleaseKey, runTool } from '../image/key-files.js';

const [file, ...keyFiles] = process.argv.slice(2);
runTool(() => {
  if (!file) throw new Error('usage: check-key.js KEY.pem [KEY.pub...]');
  readReleaseKey(file, keyFiles);
});
