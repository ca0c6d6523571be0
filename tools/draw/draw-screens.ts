// Draws the pictures of the emulator's screens: docs/seeds-new.png, seeds-restore.png, specimen.png and
// transfer.png.
import { writeFileSync } from 'node:fs';
import { contactSheet, newSeedPages, restorePages, specimenScreens, transferScreens } from './pictures.js';

const DOCS = new URL('../../../docs/', import.meta.url);

for (const [name, draw] of [
  ['seeds-new', newSeedPages],
  ['seeds-restore', restorePages],
  ['specimen', specimenScreens],
  ['transfer', transferScreens],
] as const)
  writeFileSync(new URL(`${name}.png`, DOCS), contactSheet(await draw()));
