export const HEAD_END = '\r\n\r\n';

/**
 * Of the request with a Content-Length, or without a body, that the text begins with; undefined when it is
 * not whole yet.
 */
export function wholeLength(text: string): number | undefined {
  const head = text.indexOf(HEAD_END);
  if (head === -1) return undefined;
  const length = /^content-length: *(\d+)\r$/im.exec(`${text.slice(0, head)}\r\n`)?.[1] ?? '0';
  const whole = head + HEAD_END.length + Number(length);
  return text.length >= whole ? whole : undefined;
}
