// Refuses keys that make no release: check-key.js KEY.pem [KEY.pub...].
import { isDevelopmentKey } from '@zbc-signer/image';
import { readLoaderKeys, runTool } from '../image/key-files.js';

const [file, ...keyFiles] = process.argv.slice(2);
runTool(() => {
  if (!file) throw new Error('usage: check-key.js KEY.pem [KEY.pub...]');
  const { own } = readLoaderKeys(file, keyFiles);
  if (own && isDevelopmentKey(own))
    throw new Error('the development key, which everyone knows, signs no release');
});
