import type { Board, ImageFile } from '@zbc-signer/image';
import { UsageError } from '../../errors/errors.js';
import { readBytes, warnIfReadable, writeBytes } from '../../input/files.js';
import { defineCommand } from '../../parser/command.js';
import { BOARD_OPTION, MAX_IMAGE_BYTES, OUTPUT_OPTIONS, parseBoard } from './options.js';

const MAX_SEED_BYTES = 1024;

export const command = defineCommand({
  options: {
    'seed-file': {
      demandOption: true,
      describe: 'file with a TEST mnemonic or hex:<128 digits>; - reads stdin. There is no default',
    },
    ...BOARD_OPTION,
    image: {
      describe: 'UF2, HEX or BIN file to write the seed into [none: the seed alone, as UF2 or HEX]',
    },
    ...OUTPUT_OPTIONS,
  },
  examples: [
    [
      '$0 image provision --seed-file mnemonic.txt --board pico -o seed.uf2',
      'copy seed.uf2 to the board, then delete both files',
    ],
  ],
  notes: 'A development board keeps no secret: use a seed that holds nothing of value.',

  async run({ seedFile, board: name, image: path, output, force }, terminal) {
    const [{ parseSeed }, { addSeed, writeImageFile }] = await Promise.all([
      import('@zbc-signer/emulator'),
      import('@zbc-signer/image'),
    ]);
    const board = parseBoard(name);
    await warnIfReadable('the seed', seedFile, terminal);
    const text = await readBytes('the seed', seedFile, MAX_SEED_BYTES, terminal.signal);
    const seed = parseSeed(text.toString('utf8'));
    text.fill(0);
    const image =
      path === undefined ? emptyImage(board, output) : await readImage(path, board, terminal.signal);
    expectEnding(output, image.format);
    const bytes = writeImageFile(addSeed(image, board, seed, force), board);
    seed.fill(0);
    await writeBytes(output, bytes, { secret: true, force });
    terminal.warn(`WARNING: ${output} holds the seed, and so will the board, for anyone to read.`);
    const next = `Copy it to the board, then delete it and ${seedFile === '-' ? 'what it was made of' : seedFile}.`;
    return {
      json: { file: output, board: board.name, format: image.format, bytes: bytes.length },
      text: `Wrote ${output}, readable by you alone. ${next}`,
    };
  },
});

function emptyImage({ uf2Family }: Board, output: string): ImageFile {
  const isHex = uf2Family === undefined || /\.hex$/i.test(output);
  return { format: isHex ? 'hex' : 'uf2', segments: [], start: [] };
}

/** Tools that write flash go by the ending of the name. */
function expectEnding(output: string, format: ImageFile['format']): void {
  const ending = /\.(?:uf2|hex|bin|elf)$/i.exec(output)?.[0].toLowerCase();
  if (ending === undefined || ending === `.${format}`) return;
  throw new UsageError(
    `--output: the file would be ${format.toUpperCase()}, which does not end in ${ending}`,
  );
}

async function readImage(path: string, board: Board, signal: AbortSignal): Promise<ImageFile> {
  const { expectProgramOf, readImageFile } = await import('@zbc-signer/image');
  const image = readImageFile(await readBytes('the image', path, MAX_IMAGE_BYTES, signal), board);
  expectProgramOf(board, image);
  return image;
}
