// Run by the resume test: an archival node on the directory it is given that follows the URL it is given,
// until it is killed.
import { startArchivalNode } from '@zbc-signer/devnet';

const [dataDir, follow] = process.argv.slice(2);
const { url } = await startArchivalNode({ dataDir, follow: follow! });
process.stdout.write(`${url}\n`);
