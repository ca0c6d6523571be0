const COLUMNS = 128;
const ROW_BYTES = 16;
const ROWS = 64;

/** Number of argument bytes by command. Commands that are not listed have no arguments. */
const ARGUMENTS: Readonly<Record<number, number>> = {
  32: 1, // 20 addressing
  33: 2, // 21 columns
  34: 2, // 22 pages
  129: 1, // 81 contrast
  141: 1, // 8D charge pump
  168: 1, // A8 multiplex
  211: 1, // D3 offset
  213: 1, // D5 clock
  217: 1, // D9 precharge
  218: 1, // DA COM pins
  219: 1, // DB VCOMH
};

const COMMANDS = 0x00;
const DATA = 0x40;

/**
 * An SSD1306 display controller of 128 x 64 pixels, according to its data sheet. It is on a common module,
 * which is upright after the commands A1 and C8. It throws if the controller would reject a command, or
 * display incorrectly after it.
 */
export class Ssd1306 {
  readonly memory = new Uint8Array(1024).fill(0x5a);
  /** Contrast, 0 to 255. */
  contrast = 0x7f;
  #isOn = false;
  #hasPump = false;
  #mirrorsColumns = false;
  #mirrorsRows = false;
  #isInverse = false;
  #showsAll = false;
  #addressing = 2;
  #startRow = 0;
  #offset = 0;
  #columns: [number, number] = [0, COLUMNS - 1];
  #pages: [number, number] = [0, 7];
  #column = 0;
  #page = 0;
  #kind: number | undefined;
  #command: number[] = [];

  /** Makes the controller lose its state, as after a short loss of power. */
  losePower(): void {
    this.memory.fill(0xa5);
    this.#isOn = this.#hasPump = this.#mirrorsColumns = this.#mirrorsRows = false;
    this.#addressing = 2;
    this.#columns = [0, COLUMNS - 1];
    this.#pages = [0, 7];
    this.#column = this.#page = 0;
  }

  /** Begins a transfer: the next byte is a control byte. */
  begin(): void {
    this.#kind = undefined;
  }

  write(byte: number): void {
    if (this.#kind === undefined) this.#kind = this.#checkKind(byte);
    else if (this.#kind === DATA) this.#data(byte);
    else this.#commandByte(byte);
  }

  /**
   * Returns the lit pixels as a frame: 64 rows of 16 bytes, with the left pixel in the most significant bit.
   * Undefined while the display is off.
   */
  frame(): Uint8Array | undefined {
    if (!this.#isOn) return undefined;
    if (this.#addressing !== 0) throw new Error('SSD1306: expected horizontal addressing');
    const frame = new Uint8Array(ROWS * ROW_BYTES);
    for (let y = 0; y < ROWS; y++)
      for (let x = 0; x < COLUMNS; x++)
        if (this.#isLit(x, y)) frame[y * ROW_BYTES + (x >> 3)]! |= 0x80 >> (x & 7);
    return frame;
  }

  #isLit(x: number, y: number): boolean {
    const row = ((this.#mirrorsRows ? y : ROWS - 1 - y) + this.#startRow + this.#offset) % ROWS;
    const bit = (this.memory[(row >> 3) * COLUMNS + x]! >> (row & 7)) & 1;
    return (bit === 1 || this.#showsAll) !== this.#isInverse;
  }

  #checkKind(byte: number): number {
    if (byte !== COMMANDS && byte !== DATA)
      throw new Error(`SSD1306: unknown control byte ${byte.toString(16)}`);
    return byte;
  }

  /** Writes a byte of pixels. Columns are mirrored here, and rows when the display shows them. */
  #data(byte: number): void {
    const column = this.#mirrorsColumns ? this.#column : COLUMNS - 1 - this.#column;
    this.memory[this.#page * COLUMNS + column] = byte;
    if (this.#column++ < this.#columns[1]) return;
    this.#column = this.#columns[0];
    this.#page = this.#page < this.#pages[1] ? this.#page + 1 : this.#pages[0];
  }

  #commandByte(byte: number): void {
    this.#command.push(byte);
    const [code] = this.#command;
    if (this.#command.length <= (ARGUMENTS[code!] ?? 0)) return;
    const [, first = 0, second = 0] = this.#command;
    this.#command = [];
    this.#execute(code!, first, second);
  }

  #execute(code: number, first: number, second: number): void {
    if (code >= 0x40 && code <= 0x7f) this.#startRow = code & 0x3f;
    else if (!this.#setMode(code) && !this.#setAddress(code, first, second)) this.#check(code, first);
  }

  #setMode(code: number): boolean {
    const high = code & 0xfe;
    if (high === 0xa0) this.#mirrorsColumns = code === 0xa1;
    else if (high === 0xa4) this.#showsAll = code === 0xa5;
    else if (high === 0xa6) this.#isInverse = code === 0xa7;
    else if (high === 0xae) this.#switch(code === 0xaf);
    else if (code === 0xc0 || code === 0xc8) this.#mirrorsRows = code === 0xc8;
    else return false;
    return true;
  }

  #setAddress(code: number, first: number, second: number): boolean {
    if (code === 0x20) this.#addressing = first;
    else if (code === 0x21) [this.#columns, this.#column] = [[first, second], first];
    else if (code === 0x22) [this.#pages, this.#page] = [[first, second], first];
    else return false;
    return true;
  }

  #check(code: number, argument: number): void {
    if (code === 0x8d) this.#hasPump = argument === 0x14;
    else if (code === 0x81) this.contrast = argument;
    else if (code === 0xd3) this.#offset = argument;
    else if (code === 0xa8 && argument !== ROWS - 1)
      throw new Error(`SSD1306: expected ${ROWS} rows, found ${argument + 1}`);
    else if (code === 0xda && argument !== 0x12)
      throw new Error('SSD1306: the configuration of the COM pins is for another panel');
    else if (!(code in ARGUMENTS)) throw new Error(`SSD1306: unknown command ${code.toString(16)}`);
  }

  #switch(on: boolean): void {
    if (on && !this.#hasPump)
      throw new Error('SSD1306: the display was switched on before its charge pump was enabled');
    this.#isOn = on;
  }
}
