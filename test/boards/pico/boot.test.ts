import { Board } from '../../../testkit/boards/board.js';
import { provisionedFlash } from '../../../testkit/boards/image.js';
import { SimulatedPico } from '../../../testkit/boards/pico.js';
import { PicoDriver } from '../../../testkit/boards/pico-driver.js';

describe('a Pico', () => {
  test('boots within 100 ms, with a display as slow as a real one', async () => {
    const pico = new SimulatedPico(provisionedFlash(), { slowDisplay: true }).boot();
    expect(pico.milliseconds).toBeLessThan(100);
    const board = Board.on(PicoDriver.on(new SimulatedPico(provisionedFlash(), { slowDisplay: true })));
    await board.pressAll(['right']);
  });

  test('is not started when boot2 is damaged', () => {
    const flash = provisionedFlash();
    flash[20]! ^= 1;
    expect(() => new SimulatedPico(flash)).toThrow('wrong checksum');
  });

  test('stores settings by the functions of the boot ROM, in order', async () => {
    const { pico } = PicoDriver.on(new SimulatedPico(provisionedFlash()));
    for (const key of ['right', 'both', 'both'] as const) {
      pico.press(key);
      pico.run(100);
    }
    expect(pico.rom.calls).toEqual(['IF', 'EX', 'RE', 'RP', 'FC', 'CX']);
  });
});
