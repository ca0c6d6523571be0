// Run by the test of what an archival node survives: asks the node of argv ten times, and prints what each
// failed with.
import { setTimeout as pause } from 'node:timers/promises';
import { FollowedNode } from '#devnet/archival/followed-node.js';

const node = new FollowedNode(process.argv[2]!, new AbortController().signal);
const failures: string[] = [];
for (let count = 0; count < 10; count += 1) {
  failures.push(await node.blocks(0n, 1, 0).then(String, ({ name }) => name));
  await pause(20);
}
await node.close();
console.log(failures.join(' '));
