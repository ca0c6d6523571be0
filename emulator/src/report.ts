export { html, Markup } from './markup.js';
export { drawScreen, renderReport } from './page.js';
