import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { until } from '../../../testkit/time/until.js';

/** Reads a stream of events; `close` ends it. */
export class EventClient {
  text = '';
  ended = false;

  private constructor(readonly response: IncomingMessage) {
    response.setEncoding('utf8');
    response.on('data', (piece: string) => {
      this.text += piece;
    });
    response.on('error', () => {});
    response.on('close', () => {
      this.ended = true;
    });
  }

  static async open(url: string, headers: Record<string, string> = {}): Promise<EventClient> {
    const accept = { accept: 'text/event-stream', ...headers };
    const sent = request(url, { headers: accept, agent: false }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return new EventClient(response);
  }

  get status(): number {
    return this.response.statusCode!;
  }

  /** The events that were received, each as its name, id and data. */
  get events(): [string, string, Record<string, unknown>][] {
    return [...this.text.matchAll(/^event: (.*)\nid: (.*)\ndata: (.*)\n\n/gm)].map(([, event, id, data]) => [
      event!,
      id!,
      JSON.parse(data!),
    ]);
  }

  async received(count: number): Promise<void> {
    await until(() => this.events.length >= count);
  }

  close(): void {
    this.response.destroy();
  }
}
