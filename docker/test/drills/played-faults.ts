import { expect, test } from '@jest/globals';
import { until } from '@solegate/testkit';
import type { PrometheusServer } from '../prometheus-server.js';

/** Rates cover at most ten minutes, and an alert is pending for at most fifteen. */
const SILENT_WITHIN_MS = 25 * 60_000;
/** By then, anything repaired late, such as a lease, would have raised its alert. */
const SILENT_FOR_MS = 5_000;
const FIRES_WITHIN_MS = 60_000;
const LOOK_MS = 250;

export interface Fault {
  begin(): unknown;
  mend(): unknown;
  /** The alert that must fire, and no other. */
  readonly alert: string;
  /** Default: a minute. */
  readonly firesWithinMs?: number;
}

/**
 * A test for each fault: it lasts for a minute of the rules and until its alert fires, and is then repaired. From the fault until
 * no alert is even pending, only that alert fires.
 *
 * @param timesFaster what every time in the rules was divided by
 */
export function playFaults(
  faults: Readonly<Record<string, Fault>>,
  { prometheus, timesFaster }: { readonly prometheus: () => PrometheusServer; readonly timesFaster: number },
): void {
  test.each(Object.entries(faults))(
    '%s fires its alert and no other',
    async (name, { begin, mend, alert, firesWithinMs = FIRES_WITHIN_MS }) => {
      const fired = new Set<string>();
      const look = async (): Promise<string[]> => {
        const firing = await prometheus().alerts('firing');
        for (const one of firing) fired.add(one);
        return firing;
      };
      const untilFired = { timeoutMs: firesWithinMs, intervalMs: LOOK_MS, what: alert };
      await untilSilent(prometheus(), timesFaster);
      const beganAtMs = performance.now();
      await begin();
      try {
        await until(async () => (await look()).includes(alert), untilFired);
        process.stdout.write(`${name}: ${alert} after ${Math.round(performance.now() - beganAtMs)} ms\n`);
        const endsAtMs = beganAtMs + 60_000 / timesFaster;
        await until(async () => (await look()) && performance.now() >= endsAtMs, untilFired);
      } finally {
        await mend();
      }
      await untilSilent(prometheus(), timesFaster, look);
      expect([...fired]).toEqual([alert]);
    },
    900_000,
  );
}

/** Waits until no alert has fired or been pending for some seconds. */
async function untilSilent(
  prometheus: PrometheusServer,
  timesFaster: number,
  look: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  let loudAtMs = performance.now();
  const isSilent = async (): Promise<boolean> => {
    await look();
    const states = await Promise.all([prometheus.alerts('firing'), prometheus.alerts('pending')]);
    const loud = states.flat();
    if (loud.length === 0) return performance.now() - loudAtMs > SILENT_FOR_MS;
    loudAtMs = performance.now();
    throw new Error(`firing or pending: ${loud.join(', ')}`);
  };
  await until(isSilent, { timeoutMs: SILENT_WITHIN_MS / timesFaster, intervalMs: LOOK_MS, what: 'no alert' });
}
