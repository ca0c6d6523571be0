/** An open device that carries 64-byte reports each way, without a report id. */
export interface ReportDevice {
  /** Sends reports in their order; resolves when the system took them, rejects when the device is gone. */
  write(reports: readonly Uint8Array[]): Promise<void>;
  /** Calls `onReport` for every report from now on, and `onLost` once, when the device is gone. */
  listen(onReport: (report: Uint8Array) => void, onLost: (cause: unknown) => void): void;
  /** Frees the device. */
  close(): Promise<void>;
}
