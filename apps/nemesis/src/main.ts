import { parseArgs } from 'node:util';
import { drillFailover, MACHINE_FAULTS, type MachineFault } from './failover/drill.js';
import { type Outcome, play } from './run/play.js';
import { SABOTAGES, type SabotageName } from './sabotage/sabotages.js';
import { faultWords, type PlannedFault, scheduleOf } from './schedule/schedule.js';

const HELP = `npm run nemesis -- [options]

Injects faults into all parts simultaneously while callers request IDs, numbers and trips from two gateways. Then checks
every answer against every other, against what subscribers received and against PostgreSQL. The exit code is 0 if no
promise was broken and enough was answered.

  --seeds N           number of runs, each with its own faults (default 5)
  --first N           seed of the first run (default 1); --seeds 1 --first N repeats the faults of one seed
  --seconds N         length of each run (default 30)
  --sabotage NAME     takes a guard away; then the exit code is 0 if the checker catches it in every run. NAME is one of
                      ${Object.keys(SABOTAGES).join(', ')}
  --cells N           PostgreSQL servers that share the data, 1 or 2 (default 1)
  --node-store NAME   what grants node IDs, redis or postgres (default redis)
  --other-gateway F   dist/main.js of another release for the second gateway

npm run nemesis -- --failover [options]

Repeatedly takes down the primary of a PostgreSQL cluster under Patroni, under load. Needs Debian 12.

  --fault F           killed, frozen or "cut off" (default: all, one after the other)
  --times N           repetitions of each fault (default 10)
  --asynchronous      no standby has every commit; then the exit code is 0 if nothing below a stored mark was issued again
  --ttl N             seconds after which a silent primary loses its role (default 20, the least Patroni accepts; its own is 30)
`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '5' },
    first: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '30' },
    sabotage: { type: 'string' },
    cells: { type: 'string', default: '1' },
    'node-store': { type: 'string', default: 'redis' },
    'other-gateway': { type: 'string' },
    failover: { type: 'boolean', default: false },
    fault: { type: 'string' },
    times: { type: 'string', default: '10' },
    asynchronous: { type: 'boolean', default: false },
    ttl: { type: 'string', default: '20' },
    help: { type: 'boolean', default: false },
  },
});

// Node 20 occasionally never exits by itself after it has run servers: it spins after everything was printed.
if (values.help) console.log(HELP);
else process.exit(await (values.failover ? failOver() : run()));

function failOver(): Promise<number> {
  const names = Object.keys(MACHINE_FAULTS) as MachineFault[];
  const faults = names.filter((name) => values.fault === undefined || values.fault === name);
  if (faults.length === 0) refuse(`--fault takes ${names.join(', ')}, not "${values.fault}".`);
  // A third each, as in Patroni's own settings: one loop and two retries fit into the primary's TTL.
  const ttl = atLeastOne('ttl');
  const third = Math.max(1, Math.floor(ttl / 3));
  return drillFailover({
    faults,
    times: atLeastOne('times'),
    synchronous: !values.asynchronous,
    pace: { ttl, loop_wait: Math.max(1, ttl - 2 * third), retry_timeout: third },
    print: (line) => console.log(line),
  });
}

async function run(): Promise<number> {
  const first = atLeastOne('first');
  const durationMs = atLeastOne('seconds') * 1000;
  const cellCount = atLeastOne('cells');
  if (cellCount > 2) refuse(`--cells takes 1 or 2, not "${values.cells}".`);
  const sabotage = sabotageNamed(values.sabotage);
  let failedCount = 0;
  for (let seed = first; seed < first + atLeastOne('seeds'); seed += 1) {
    // Nothing but the sabotage may break a promise.
    const schedule = sabotage === undefined ? scheduleOf(seed, durationMs, cellCount) : [];
    const gateways = { nodeStore: values['node-store'], otherGateway: values['other-gateway'] };
    const playing = { seed, durationMs, ...gateways, cellCount, sabotage };
    const outcome = await play({ ...playing, schedule });
    console.log(runWords(seed, schedule, outcome));
    for (const { rule, witness } of outcome.violations.slice(0, 5)) console.log(`  ${rule}: ${witness}`);
    for (const kind of outcome.thin) console.log(`  thin, ${kind}`);
    const isGood =
      sabotage === undefined
        ? outcome.violations.length + outcome.thin.length === 0
        : isCaughtBy(sabotage, outcome);
    if (sabotage !== undefined) console.log(isGood ? 'caught' : 'not caught');
    if (isGood) continue;
    failedCount += 1;
    for (const fault of schedule) console.log(`  ${faultWords(fault)}`);
    console.log(
      `  again: npm run nemesis -- --seeds 1 --first ${seed} --seconds ${durationMs / 1000} --cells ${cellCount}`,
    );
  }
  return failedCount === 0 ? 0 : 1;
}

function sabotageNamed(name: string | undefined): SabotageName | undefined {
  if (name === undefined || name in SABOTAGES) return name as SabotageName | undefined;
  return refuse(`--sabotage takes ${Object.keys(SABOTAGES).join(', ')}, not "${name}".`);
}

function isCaughtBy(sabotage: SabotageName, { violations }: Outcome): boolean {
  const rules: readonly string[] = SABOTAGES[sabotage].caughtBy;
  return violations.some(({ rule }) => rules.includes(rule));
}

function runWords(
  seed: number,
  schedule: readonly PlannedFault[],
  { violations, answeredCount, callCount }: Outcome,
): string {
  return `seed ${seed}: ${violations.length} violations, ${schedule.length} faults; ${answeredCount} of ${callCount} calls answered`;
}

function atLeastOne(name: 'cells' | 'seeds' | 'first' | 'seconds' | 'times' | 'ttl'): number {
  const value = Number(values[name]);
  if (Number.isSafeInteger(value) && value >= 1) return value;
  return refuse(`--${name} takes a whole number from 1, not "${values[name]}".`);
}

function refuse(why: string): never {
  console.error(`${why}\n\n${HELP}`);
  process.exit(2);
}
