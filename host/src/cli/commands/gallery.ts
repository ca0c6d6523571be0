import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineCommand } from '../command.js';
import { UsageError } from '../errors.js';
import type { Room } from '../gallery/page.js';
import { JSON_OPTION } from '../options.js';
import type { Terminal } from '../terminal.js';

const OWN_VECTORS = ['transactions', 'messages', 'refusals'];
const DEFAULT_FILE = 'gallery.html';

export const gallery = defineCommand({
  usage: 'gallery [vectors..]',
  summary: 'Draw every screen of every review on one HTML page',
  configure: yargs =>
    yargs
      .positional('vectors', {
        type: 'string',
        array: true,
        describe: "JSON files in the form of vectors/transactions.json [the repository's own]",
      })
      .options({
        output: {
          alias: 'o',
          type: 'string',
          requiresArg: true,
          describe: `file to write [${DEFAULT_FILE}]`,
        },
        ...JSON_OPTION,
      })
      .example('$0 gallery vectors/transactions.json -o out.html', 'then open out.html in a browser'),
  run: async ({ vectors = [], output = DEFAULT_FILE }, terminal) => {
    const { countExhibits, renderGallery } = await import('../gallery/page.js');
    const rooms: Room[] = [];
    for (const path of vectors.length === 0 ? ownVectors() : vectors) {
      rooms.push(await photographFile(path, terminal));
    }
    const page = renderGallery(rooms);
    await writeFile(output, page).catch((error: Error) => {
      throw new UsageError(`cannot write ${output}: ${error.message}`);
    });
    const counts = countExhibits(rooms);
    const bytes = Buffer.byteLength(page);
    return {
      json: { file: output, bytes, ...counts },
      text: `${output}: ${counts.cases} cases, ${counts.screens} screens, ${counts.refusals} refusals`,
    };
  },
});

async function photographFile(path: string, terminal: Terminal): Promise<Room> {
  const [{ readCases }, { photographCase }] = await Promise.all([
    import('../gallery/cases.js'),
    import('../gallery/photograph.js'),
  ]);
  const { mnemonic, cases } = await readCases(path);
  await terminal.wait(`Drawing the ${cases.length} cases of ${path}`);
  const exhibits = [];
  for (const galleryCase of cases) {
    terminal.signal.throwIfAborted();
    exhibits.push(await photographCase(galleryCase, mnemonic));
  }
  return { title: basename(path), exhibits };
}

/** They are in the repository and not in the package. */
function ownVectors(): string[] {
  const paths = OWN_VECTORS.map(name =>
    fileURLToPath(new URL(`../../../../../vectors/${name}.json`, import.meta.url)),
  );
  if (!paths.every(path => existsSync(path))) {
    throw new UsageError(
      'the repository with its vectors is not here: name files to draw',
      'zbc-signer gallery transactions.json -o out.html',
    );
  }
  return paths;
}
