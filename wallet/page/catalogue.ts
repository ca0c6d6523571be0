/** Translations of the page's messages, by their English text. The page is in English, so it is empty. */
export const CATALOGUE: Readonly<Record<string, string>> = {};
