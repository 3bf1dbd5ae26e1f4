import { parseArgs } from 'node:util';
import { runChaos } from './chaos-run.js';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    first: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '20' },
    flow: { type: 'string', default: 'solegate' },
  },
});
const first = Number(values.first);
let violationCount = 0;
for (let seed = first; seed < first + Number(values.seeds); seed += 1) {
  const report = await runChaos({
    flow: values.flow === 'control' ? 'control' : 'solegate',
    seed,
    durationMs: Number(values.seconds) * 1000,
  });
  violationCount += report.violationCount;
  process.stdout.write(`${JSON.stringify(report)}\n`);
}
process.exit(violationCount === 0 ? 0 : 1);
