/** An open device that carries 64-byte reports each way, without a report id. */
export interface ReportDevice {
  /** Sends reports in order; resolves once the system accepted them, rejects if the device is gone. */
  write(reports: readonly Uint8Array[]): Promise<void>;
  /** Calls `onReport` for every later report, and `onLost` once if the device is gone. */
  listen(onReport: (report: Uint8Array) => void, onLost: (cause: unknown) => void): void;
  /** Releases the device. */
  close(): Promise<void>;
}
