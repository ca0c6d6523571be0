/** Matches an origin whose scheme is an app's or a browser's own; `URL.origin` is `null` for these. */
const OWN_SCHEME = /^(?!(?:https?|file|ftp|wss?):)[a-z][a-z\d+.-]*:\/\/[\w.-]+(?::\d{1,5})?$/;

/**
 * Whether a text is an origin exactly as browsers send it (RFC 6454 §6.2): of a page, such as
 * `https://app.example`, or with a scheme of its own, such as `app://wallet` or `chrome-extension://ID`.
 */
export function isWebOrigin(text: string): boolean {
  if (OWN_SCHEME.test(text)) return true;
  return /^https?:[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
