const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

/** Whether an Accept-Encoding header names the coding with a weight above 0 (RFC 9110 §12.5.3). */
export function acceptsCoding(header: string | string[] | undefined, coding: string): boolean {
  if (typeof header !== 'string') return false;
  return header.split(',').some(range => {
    const [name, weight = 'q=1'] = range.split(';').map(part => part.trim());
    return name!.toLowerCase() === coding && Number(WEIGHT.exec(weight)?.[1] ?? 0) > 0;
  });
}
