import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { UsageError } from '../../errors/errors.js';
import type { Terminal } from '../../output/terminal.js';
import { defineCommand } from '../../parser/command.js';
import type { Section } from './page.js';

const DEFAULT_OUTPUT = 'gallery.html';

export const command = defineCommand({
  arguments: {
    files: {
      array: true,
      demandOption: true,
      describe: 'JSON files of test vectors, in the format of vectors/transactions.json',
    },
  },
  options: {
    output: {
      alias: 'o',
      describe: `file to write [${DEFAULT_OUTPUT}]`,
    },
  },
  examples: [['$0 gallery vectors/transactions.json -o out.html', 'then open out.html in a browser']],

  async run({ files, output = DEFAULT_OUTPUT }, terminal) {
    const { countCases, renderGallery } = await import('./page.js');
    const sections: Section[] = [];
    for (const path of files) sections.push(await captureFile(path, terminal));
    const page = renderGallery(sections);
    await writeFile(output, page).catch((error: Error) => {
      throw new UsageError(`cannot write ${output}: ${error.message}`);
    });
    const counts = countCases(sections);
    return {
      json: { file: output, bytes: Buffer.byteLength(page), ...counts },
      text: `${output}: ${counts.reviews} reviews on ${counts.screens} screens, ${counts.refusals} refused`,
    };
  },
});

async function captureFile(path: string, terminal: Terminal): Promise<Section> {
  const [{ readCases }, { captureCase }] = await Promise.all([import('./cases.js'), import('./capture.js')]);
  const { mnemonic, cases } = await readCases(path, terminal.signal);
  await terminal.wait(`Drawing the ${cases.length} cases of ${path}`);
  const captured = [];
  for (const galleryCase of cases) {
    terminal.signal.throwIfAborted();
    captured.push(await captureCase(galleryCase, mnemonic));
  }
  return { title: basename(path), cases: captured };
}
