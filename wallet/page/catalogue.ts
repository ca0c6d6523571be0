/**
 * Translations of the page's messages, by their English text. The catalogue is empty, for a page in English.
 */
export const CATALOGUE: Readonly<Record<string, string>> = {};
