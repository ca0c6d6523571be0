export { BOARDS, type Board, findBoard } from './boards.js';
export { ImageError, type ImageErrorCode } from './errors.js';
export { type ImageFile, type ImageFormat, readImageFile, writeImageFile } from './image-file.js';
export { addSeed, hasSeed, seedSegment } from './seed-sector.js';
export type { Segment } from './segments.js';
