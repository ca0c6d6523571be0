import { readFile } from 'node:fs/promises';
import { EmulatorError } from './errors.js';

const DIRECTORY = new URL('./panel/', import.meta.url);

/** The files of the panel, as built into dist/panel, with their content types. */
export const PANEL_FILES: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'panel.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'panel.js': 'text/javascript; charset=utf-8',
};

/** Throws PANEL_MISSING if the panel is not built. */
export async function readPanelFile(name: string): Promise<Buffer> {
  return readFile(new URL(name, DIRECTORY)).catch(error => {
    if (error.code !== 'ENOENT') throw error;
    throw new EmulatorError('PANEL_MISSING', 'the web panel is not built; run "make build"');
  });
}
