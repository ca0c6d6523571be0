// A test of archival nodes starts this program. It asks each node in argv ten times, and prints the errors.
import { setTimeout as pause } from 'node:timers/promises';
import { FollowedNode } from '#devnet/archival/followed-node.js';

async function failuresOf(url: string): Promise<string[]> {
  const node = new FollowedNode(url, new AbortController().signal);
  const failures: string[] = [];
  for (let count = 0; count < 10; count += 1) {
    failures.push(await node.blocks(0n, 1, 0).then(String, ({ name }) => name));
    await pause(20);
  }
  await node.close();
  return failures;
}

console.log(JSON.stringify(await Promise.all(process.argv.slice(2).map(failuresOf))));
