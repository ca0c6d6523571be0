import type { HistoryCounts } from './history.js';
import type { TrafficCounts } from './traffic.js';

/** What one process of a gateway has counted, as workers tell it to each other. */
export interface ProcessCounts {
  traffic: TrafficCounts;
  /** Only when it was asked for, as it is large. */
  history: HistoryCounts | undefined;
}
