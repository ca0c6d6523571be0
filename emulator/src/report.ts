export { encodePng } from './device/png.js';
export { html, Markup } from './markup.js';
export { renderReport } from './page.js';
