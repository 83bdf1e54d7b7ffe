/**
 * How far off our estimate has been, per model.
 * Owns: the states in memory and handing them to disk. Does not own: the rule (budget/calibration.ts).
 */
import {
  calibrationFrom,
  observe,
  UNCALIBRATED,
  type CalibrationState,
  type UsageObservation,
} from "../budget/calibration";

export interface CalibrationPort {
  /** Keeps the states; losing them loses nothing but accuracy. */
  save(states: Readonly<Record<string, CalibrationState>>): Promise<void>;
}

export class CalibrationStore {
  private states = new Map<string, CalibrationState>();

  constructor(private readonly port?: CalibrationPort) {}

  /** Takes what was saved; what cannot be read is as if it had never been observed. */
  load(stored: unknown): void {
    if (typeof stored !== "object" || stored === null || Array.isArray(stored)) return;
    this.states = new Map(Object.entries(stored).map(([key, state]) => [key, calibrationFrom(state)]));
  }

  /** 0.5 … 2; 1 for a model that was never heard of. */
  ratioOf(modelKey: string): number {
    return (this.states.get(modelKey) ?? UNCALIBRATED).ratio;
  }

  observe(modelKey: string, observation: UsageObservation): void {
    const before = this.states.get(modelKey) ?? UNCALIBRATED;
    const after = observe(before, observation);
    if (after === before) return;
    this.states.set(modelKey, after);
    void this.port?.save(Object.fromEntries(this.states));
  }
}
