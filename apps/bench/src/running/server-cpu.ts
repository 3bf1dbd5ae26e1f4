import { readFile } from 'node:fs/promises';
import type { Pool } from 'pg';
import type { Metrics } from '../measuring/result.js';

/** Processor time of each back end so far, in nanoseconds, by its process ID. */
type CpuTimes = ReadonlyMap<number, number>;

/**
 * Reads the processor time of PostgreSQL's back ends of this database; the function that it returns reads it again and
 * gives `serverUs`, microseconds an answer, the figure that other work on the machine disturbs least. No metric where
 * the times cannot be read, which needs a PostgreSQL on the same Linux.
 */
export async function meterServerCpu(pool: Pool): Promise<(answeredCount: number) => Promise<Metrics>> {
  const before = await cpuTimes(pool);
  return async (answeredCount) => {
    const after = await cpuTimes(pool);
    if (after.size === 0 || answeredCount === 0) return {};
    const usedNs = [...after].reduce((total, [pid, ns]) => total + ns - (before.get(pid) ?? 0), 0);
    return { serverUs: usedNs / 1000 / answeredCount };
  };
}

async function cpuTimes(pool: Pool): Promise<CpuTimes> {
  const { rows } = await pool.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity
     WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
  );
  const times = await Promise.all(
    rows.map(async ({ pid }) => {
      // "time on a processor, time in its queue, count of turns"; the process can have ended.
      const text = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => undefined);
      return text === undefined ? [] : [[pid, Number(text.split(' ')[0])] as const];
    }),
  );
  return new Map(times.flat());
}
