// Started by the test of child processes. It starts a child, and exits without ending it.
import { fileURLToPath } from 'node:url';
import { spawnScript } from './child.js';

spawnScript(fileURLToPath(new URL('./waiting-process.js', import.meta.url)), []);
process.stdout.write('started\n');
