import { readFile } from 'node:fs/promises';
import { PanelMissingError } from './errors.js';

const DIRECTORY = new URL('./panel/', import.meta.url);

/** The files of the panel, as built into dist/panel, with their content types. */
export const PANEL_FILES: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'panel.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'panel.js': 'text/javascript; charset=utf-8',
};

/** Throws PanelMissingError if the panel is not built. */
export async function readPanelFile(name: string): Promise<Buffer> {
  return readFile(new URL(name, DIRECTORY)).catch(error => {
    throw error.code === 'ENOENT' ? new PanelMissingError() : error;
  });
}
