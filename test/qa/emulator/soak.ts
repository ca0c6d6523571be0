// Many runs of the Zemu and harness flows, six at a time: node dist/test/qa/emulator/soak.js [runs, 200 by
// default]. It ends at the first failure.
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { Emulator } from '@zbc-signer/emulator';
import { attachZemu, stubElf } from '@zbc-signer/emulator/zemu';
import { Signer } from '@zbc-signer/host/node';
import { approveWithZemu, FLOWS, Zemu, type ZemuFlow } from '../../../testkit/screen/zemu-flow.js';

const AT_ONCE = 6;
const runs = Number(process.argv[2] ?? 200);
const elf = stubElf();

async function approveWithHarness(flow: ZemuFlow): Promise<string> {
  const emulator = await Emulator.start();
  const reply = flow.ask(new Signer(emulator.transport()));
  await emulator.approve();
  const answer = await reply;
  emulator.stop();
  return answer;
}

async function soak(
  kind: string,
  approve: (flow: ZemuFlow) => Promise<string>,
  atOnce: number,
): Promise<void> {
  const start = performance.now();
  let started = 0;
  const work = async () => {
    while (started < runs) {
      const flow = FLOWS[started++ % FLOWS.length]!;
      const answer = await approve(flow);
      if (answer !== flow.expected) throw new Error(`${kind}, ${flow.name}: ${answer}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  console.log(
    `${kind}: ${runs} runs without a failure in ${((performance.now() - start) / 1000).toFixed(1)} s`,
  );
}

await soak('harness', approveWithHarness, 1);
await soak('Zemu', flow => approveWithZemu(attachZemu(new Zemu(elf)), flow, 'nanosp'), AT_ONCE);
rmSync(dirname(elf), { recursive: true });
