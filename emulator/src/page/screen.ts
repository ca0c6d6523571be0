const LIT = [0xea, 0xf2, 0xf4, 0xff];
const DARK = [0x04, 0x06, 0x08, 0xff];

/** Draws a frame, which is 64 rows of 16 bytes, on a canvas of 128 by 64 pixels. */
export function drawFrame(canvas: HTMLCanvasElement, frame: Uint8Array): void {
  const image = new ImageData(128, 64);
  const pixels = new Uint32Array(image.data.buffer);
  const [lit = 0, dark = 0] = new Uint32Array(Uint8Array.from([...LIT, ...DARK]).buffer);
  for (let pixel = 0; pixel < pixels.length; pixel++) {
    pixels[pixel] = (frame[pixel >> 3]! >> (7 - (pixel & 7))) & 1 ? lit : dark;
  }
  canvas.getContext('2d')?.putImageData(image, 0, 0);
}
