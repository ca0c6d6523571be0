import type { EmulatorServer } from '@zbc-signer/emulator';
import { PNG } from 'pngjs';
import { startServer } from '../../../../testkit/device/device-host.js';
import { httpRequest } from '../../../../testkit/network/http.js';

let server: EmulatorServer;

beforeEach(async () => {
  server = await startServer();
});

afterEach(() => server.close());

const screenshot = () => httpRequest('GET', `${server.api}/screenshot`);

describe('GET /screenshot', () => {
  test('is an 8-bit RGB PNG of 128×64 that must not be cached', async () => {
    const { headers, body } = await screenshot();
    expect(headers['content-type']).toBe('image/png');
    expect(headers['cache-control']).toBe('no-cache, no-store');
    // IHDR: width, height, bit depth 8, colour type 2 (RGB).
    expect(body.subarray(12, 26).toString('hex')).toBe('494844520000008000000040' + '0802');
  });

  test('draws the frame in the colours 000000 and DDDDDD', async () => {
    const { data } = PNG.sync.read((await screenshot()).body);
    const frame = server.emulator.frame();
    let lit = 0;
    for (let y = 0; y < 64; y++) {
      for (let x = 0; x < 128; x++) {
        const bit = (frame[y * 16 + (x >> 3)]! & (0x80 >> (x % 8))) !== 0;
        const pixel = data.readUInt32BE(4 * (y * 128 + x));
        if (pixel !== (bit ? 0xddddddff : 0x000000ff)) {
          throw new Error(`pixel ${x},${y} is ${pixel.toString(16)}`);
        }
        if (bit) lit++;
      }
    }
    expect(lit).toBeGreaterThan(50);
  });
});
