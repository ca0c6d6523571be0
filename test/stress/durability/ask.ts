import { parse, stringify } from 'lossless-json';

interface Reply {
  /** The HTTP status; 0 if there was no answer. */
  status: number;
  body: Record<string, unknown>;
}

const PATIENCE_MS = 120_000;

/** Sends one request; integers of the answer are bigint. */
export async function ask(url: string, json?: unknown): Promise<Reply> {
  const post = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: stringify(json) ?? null,
  };
  try {
    const response = await fetch(url, {
      ...(json !== undefined && post),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await response.text();
    return { status: response.status, body: parse(text, undefined, BigInt) as Record<string, unknown> };
  } catch {
    return { status: 0, body: {} };
  }
}
