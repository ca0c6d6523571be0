/** An event of a stream (docs/gateway/routes.md#events). */
interface StreamEvent {
  type: string;
  data: string;
}

/** More than every event of one transaction takes; what is longer ends. */
const MAX_BYTES = 65_536;

/** Reads server-sent events; a stream that is too long ends, as does one that breaks off within an event. */
export async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder();
  let [rest, type, data, length] = ['', '', '', 0];
  for await (const chunk of chunks) {
    length += chunk.length;
    // A line feed may follow a carriage return in the next chunk.
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [, name, value = ''] = /^([^:]*):? ?(.*)/s.exec(line) ?? [];
      if (line === '') {
        if (data !== '') yield { type, data };
        type = data = '';
      } else if (name === 'data') data += value;
      else if (name === 'event') type = value;
    }
    if (length > MAX_BYTES) return;
  }
}
