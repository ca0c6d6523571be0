/** What the page says in another language, by its English; English, in which it is written, needs nothing. */
export const CATALOGUE: Readonly<Record<string, string>> = {};
