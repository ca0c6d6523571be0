// Refuses a key that signs no release: check-key.js KEY.pem.
import { readFileSync } from 'node:fs';
import { isDevelopmentKey, parsePrivateKey } from '@zbc-signer/image';

const [file] = process.argv.slice(2);
if (!file) throw new Error('usage: check-key.js KEY.pem');
if (isDevelopmentKey(parsePrivateKey(readFileSync(file, 'utf8')))) {
  console.error('the development key, which everyone knows, signs no release');
  process.exitCode = 1;
}
