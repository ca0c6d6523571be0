export {
  type Builder,
  type BuilderCount,
  countBuilders,
  readBuilders,
  signAttestation,
} from './attestation.js';
export { BOARDS, type Board, type Core, findBoard, type Slots } from './boards.js';
export { ImageError, type ImageErrorCode } from './errors.js';
export {
  type ImageFile,
  type ImageFormat,
  readImageFile,
  signedImageOf,
  writeImageFile,
} from './image-file.js';
export type { HexFile } from './intel-hex.js';
export {
  type ImageVersion,
  isSignedImage,
  readSignedImage,
  type SignedImage,
  type SigningOptions,
  signImage,
  verifySignedImage,
} from './mcuboot.js';
export { checkSlotProgram } from './program.js';
export {
  findReleased,
  formatManifest,
  type ReleasedFile,
  type ReleaseManifest,
  readManifest,
  sha256Hex,
  signManifest,
  type ToolchainEntry,
} from './release.js';
export type { Segment } from './segments.js';
export {
  developmentKey,
  developmentPublicKey,
  isDevelopmentKey,
  keyHash,
  parsePrivateKey,
  parsePublicKey,
  publicKeyHex,
} from './signing-key.js';
