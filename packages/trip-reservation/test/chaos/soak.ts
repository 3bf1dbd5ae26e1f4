import { parseArgs } from 'node:util';
import { startPostgresServer } from '@solegate/testkit';
import { runChaos } from './chaos-run.js';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    first: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '20' },
    flow: { type: 'string', default: 'solegate' },
  },
});

/** Seeds one after the other, each with a line of its report; ends with 1 when any promise was broken. */
async function soak(): Promise<number> {
  await using postgres = await startPostgresServer();
  const first = Number(values.first);
  let violationCount = 0;
  for (let seed = first; seed < first + Number(values.seeds); seed += 1) {
    const report = await runChaos({
      flow: values.flow === 'control' ? 'control' : 'solegate',
      seed,
      durationMs: Number(values.seconds) * 1000,
      postgresUrl: postgres.url,
    });
    violationCount += report.violationCount;
    process.stdout.write(`${JSON.stringify(report)}\n`);
  }
  return violationCount === 0 ? 0 : 1;
}

// Child processes do not keep the event loop alive; this does until the soak is over.
const alive = setInterval(() => {}, 1000);
soak().then(
  (code) => {
    clearInterval(alive);
    process.exitCode = code;
  },
  (error: unknown) => {
    clearInterval(alive);
    process.exitCode = 1;
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  },
);
