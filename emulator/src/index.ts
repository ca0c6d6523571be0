export type { Button } from './buttons.js';
export * from './errors.js';
export { Emulator, type EmulatorOptions, type EmulatorTransport } from './harness.js';
export type { Screen, ScreenText } from './platform.js';
export {
  type EmulatorServer,
  type EmulatorServerOptions,
  type Port,
  readyLine,
  startEmulatorServer,
} from './process.js';
export type { ReviewItem } from './review-pages.js';
