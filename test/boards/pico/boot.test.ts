import { Board } from '../../../testkit/boards/board.js';
import { flashWith } from '../../../testkit/boards/image.js';
import { SimulatedPico } from '../../../testkit/boards/pico.js';
import { PicoDriver } from '../../../testkit/boards/pico-driver.js';

describe('a Pico', () => {
  test('boots within 100 ms, with a display as slow as a real one', async () => {
    const pico = new SimulatedPico(flashWith(), { slowDisplay: true }).boot();
    expect(pico.milliseconds).toBeLessThan(100);
    const driver = PicoDriver.on(new SimulatedPico(flashWith(), { slowDisplay: true }));
    await driver.openKeystore('');
    const board = Board.on(driver);
    await board.pressAll(['right']);
  });

  test('is not started when boot2 is damaged', () => {
    const flash = flashWith();
    flash[20]! ^= 1;
    expect(() => new SimulatedPico(flash)).toThrow('wrong checksum');
  });

  test('stores settings with the functions of the boot ROM, in the right order', async () => {
    const pico = new SimulatedPico(flashWith()).boot().openKeystore();
    pico.run(20);
    pico.rom.calls.length = 0;
    for (const key of ['right', 'both', 'both'] as const) {
      pico.press(key);
      pico.run(100);
    }
    expect(pico.rom.calls).toEqual(['IF', 'EX', 'RE', 'RP', 'FC', 'CX']);
  });
});
