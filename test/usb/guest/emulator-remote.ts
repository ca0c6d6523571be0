import { request } from 'node:http';

/** Presses the buttons of an emulator outside the guest, over its REST API. */
export class RemoteEmulator {
  constructor(
    private readonly host: string,
    readonly apiPort: number,
    readonly usbipPort: number,
    readonly serialNumber: string,
    /** Port of the relay in front of the emulator's USB/IP port, if there is a relay. */
    private readonly holdPort?: number,
  ) {}

  press(button: 'left' | 'right' | 'both'): Promise<string> {
    return this.#call('POST', `/button/${button}`, { action: 'press-and-release' });
  }

  /** The texts of the current screen, joined. */
  async screen(): Promise<string> {
    const { events } = JSON.parse(await this.#call('GET', '/events?currentscreenonly=true')) as {
      events: { text: string }[];
    };
    return events.map(({ text }) => text).join('\n');
  }

  /** Waits for a text on the screen; only the test's own time limit ends the wait. */
  async until(text: string): Promise<void> {
    while (!(await this.screen()).includes(text)) await new Promise(resolve => setTimeout(resolve, 10));
  }

  /** Presses right up to the page with this text, then presses both buttons. */
  async decide(text: 'approve: press both' | 'press both to reject'): Promise<void> {
    for (let pages = 0; !(await this.screen()).includes(text); pages += 1) {
      if (pages === 100) throw new Error(`no page with ${text}`);
      await this.press('right');
    }
    await this.press('both');
  }

  /**
   * Once this resolves, only the first report of the next reply with several is passed on; the resulting
   * function waits for that report.
   */
  async holdReply(): Promise<() => Promise<unknown>> {
    const response = await fetch(`http://${this.host}:${this.holdPort}/`);
    return () => response.text();
  }

  #call(method: string, path: string, body?: object): Promise<string> {
    return new Promise((resolve, reject) => {
      // The emulator answers only requests with loopback names, and its machine's loopback has another
      // address here.
      const headers = { host: `127.0.0.1:${this.apiPort}`, 'content-type': 'application/json' };
      const call = request({ host: this.host, port: this.apiPort, method, path, headers }, response => {
        let text = '';
        response.setEncoding('utf8').on('data', chunk => {
          text += chunk;
        });
        response.on('end', () => {
          if (response.statusCode === 200) resolve(text);
          else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`));
        });
      });
      call.on('error', reject);
      call.end(body && JSON.stringify(body));
    });
  }
}
