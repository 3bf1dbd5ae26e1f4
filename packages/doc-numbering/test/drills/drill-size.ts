/**
 * The size of the drills, from the environment: DRILL_LOCKS=crowd DRILL_PROCESSES=4 pnpm test:drills
 *
 * | variable | default | what |
 * |---|---|---|
 * | DRILL_LOCKS | crowd,always,never | lock modes |
 * | DRILL_PROCESSES | 1,4,16 | processes that share the load |
 * | DRILL_CALLERS | 100,500,1000 | total callers of all processes |
 * | DRILL_NUMBERS | 40000 | numbers per run |
 * | DRILL_KEYS | 10000 | keys, each used by five concurrent requests in each of four processes |
 * | DRILL_REPEATS | 5 | repetitions of each fault and each fail-over |
 */
const { DRILL_LOCKS, DRILL_PROCESSES, DRILL_CALLERS, DRILL_NUMBERS, DRILL_KEYS, DRILL_REPEATS } = process.env;

const list = (text: string): string[] => text.split(',').map((one) => one.trim());

export const LOCKS = list(DRILL_LOCKS ?? 'crowd,always,never') as ('crowd' | 'always' | 'never')[];
export const PROCESSES = list(DRILL_PROCESSES ?? '1,4,16').map(Number);
export const CALLERS = list(DRILL_CALLERS ?? '100,500,1000').map(Number);
export const NUMBERS = Number(DRILL_NUMBERS ?? 40_000);
export const KEYS = Number(DRILL_KEYS ?? 10_000);
export const REPEATS = Number(DRILL_REPEATS ?? 5);
/** Time limit of one test. */
export const TIMEOUT_MS = 600_000;
