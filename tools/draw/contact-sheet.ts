import { PNG } from 'pngjs';

const SCALE = 2;
const GAP = 8;
const BACKGROUND = 0x80;
const COLUMNS = 4;

/** Arranges screenshots of the same size side by side in one PNG, each enlarged to twice its size. */
export function contactSheet(screens: Uint8Array[]): Uint8Array {
  const images = screens.map(screen => PNG.sync.read(Buffer.from(screen)));
  const width = images[0]!.width * SCALE + GAP;
  const height = images[0]!.height * SCALE + GAP;
  const rows = Math.ceil(images.length / COLUMNS);
  const sheet = new PNG({ width: COLUMNS * width + GAP, height: rows * height + GAP });
  sheet.data.fill(BACKGROUND);
  images.forEach((image, i) => {
    paste(sheet, image, GAP + (i % COLUMNS) * width, GAP + Math.floor(i / COLUMNS) * height);
  });
  return PNG.sync.write(sheet, { colorType: 2 });
}

function paste(sheet: PNG, image: PNG, left: number, top: number): void {
  for (let y = 0; y < image.height * SCALE; y++) {
    for (let x = 0; x < image.width * SCALE; x++) {
      const from = (Math.floor(y / SCALE) * image.width + Math.floor(x / SCALE)) * 4;
      image.data.copy(sheet.data, ((top + y) * sheet.width + left + x) * 4, from, from + 4);
    }
  }
}
