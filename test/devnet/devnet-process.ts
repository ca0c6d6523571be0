// Run by the durability test: a development network on the directory it is given, until it is killed.
import { startDevnet } from '@zbc-signer/devnet';

const { url } = await startDevnet({ dataDir: process.argv[2]!, blockTimeMs: 20 });
process.stdout.write(`${url}\n`);
