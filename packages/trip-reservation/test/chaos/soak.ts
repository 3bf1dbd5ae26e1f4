import { parseArgs } from 'node:util';
import { startPostgresServer } from '@solegate/testkit';
import { runChaos } from './chaos-run.js';
import { INVARIANTS, SHOWN_BY } from './history.js';
import { CHAOS_FLOWS } from './protocol.js';
import { CHAOS_REDIS } from './stores/redis.js';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    first: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '20' },
    flow: { type: 'string', default: 'solegate' },
    redis: { type: 'string', default: 'single' },
    postgres: { type: 'string', default: 'steady' },
  },
});

function oneOf<Name extends string>(names: readonly Name[], value: string): Name {
  const name = names.find((known) => known === value);
  if (name === undefined) throw new Error(`"${value}" is none of ${names.join(', ')}`);
  return name;
}

/**
 * Seeds one after the other, each with a line of its report. Ends with 1 when any promise was broken; where guards are
 * missing, when they were not missed: each kind of violation that the flow shows must have been seen.
 */
async function soak(): Promise<number> {
  const flow = oneOf(CHAOS_FLOWS, values.flow);
  await using postgres = await startPostgresServer();
  const seen = new Set<string>();
  const first = Number(values.first);
  for (let seed = first; seed < first + Number(values.seeds); seed += 1) {
    const report = await runChaos({
      flow,
      seed,
      durationMs: Number(values.seconds) * 1000,
      redis: oneOf(CHAOS_REDIS, values.redis),
      postgres: oneOf(['steady', 'failing'], values.postgres),
      postgresUrl: postgres.url,
      // Takes ten seconds and hardly depends on the seed.
      watchesLostDecision: (seed - first) % 5 === 0,
    });
    for (const name of Object.keys(report.violations)) seen.add(name);
    process.stdout.write(`${JSON.stringify(report)}\n`);
  }
  if (flow === 'solegate') return seen.size === 0 ? 0 : 1;
  const missed = INVARIANTS.filter((name) => SHOWN_BY[name] === flow && !seen.has(name));
  if (missed.length > 0) process.stdout.write(`never seen: ${missed.join(', ')}\n`);
  return missed.length === 0 ? 0 : 1;
}

// Keeps the event loop alive, which child processes do not.
setInterval(() => {}, 1000);
soak().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    process.exit(1);
  },
);
