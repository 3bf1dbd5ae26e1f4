import { writeFile } from 'node:fs/promises';
import { markedValue } from '../figures/judge.js';
import type { BenchResult, Experiment, Figure } from '../measuring/result.js';
import type { Scenario } from '../running/scenario.js';
import { scenarios } from '../suite/scenarios.js';
import { barChart } from './charts/bar-chart.js';
import { PALETTE_CSS } from './charts/chart-palette.js';
import { latencyChart } from './charts/latency-chart.js';
import { scalingChart } from './charts/scaling-chart.js';
import { PAGE_CSS } from './page-style.js';

/** Writes the page next to the result file and returns its path. */
export async function writePage(resultFile: string, result: BenchResult): Promise<string> {
  const file = `${resultFile.replace(/\.json$/, '')}.html`;
  await writeFile(file, htmlPage(result));
  return file;
}

/** Builds the page as one file without scripts or external resources: it can be mailed and opened in ten years. */
export function htmlPage(result: BenchResult): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Solegate bench, ${escaped(result.date.slice(0, 16).replace('T', ' '))} UTC</title>
<style>${PALETTE_CSS}${PAGE_CSS}</style>
</head>
<body>
<main>
${heading(result)}
${figureSection(result.figures)}
${scenarios.map((scenario) => scenarioSection(scenario, result.experiments)).join('\n')}
${method(result)}
</main>
</body>
</html>
`;
}

function heading(result: BenchResult): string {
  const { machine, figures } = result;
  const metCount = figures.filter(({ met }) => met).length;
  const verified = result.experiments
    .flatMap(({ measurements }) => measurements)
    .filter(({ role }) => role === 'solegate');
  const broken = verified.flatMap(({ violations }) => violations);
  const answers = verified.reduce((total, { verifiedCount }) => total + verifiedCount, 0);
  const verdict =
    broken.length === 0
      ? `<p class="verdict good"><strong>${answers.toLocaleString('en-US')} answers checked against the stores, none wrong.</strong></p>`
      : `<p class="verdict bad"><strong>A guarantee was broken:</strong> ${escaped(`${broken[0]?.rule}: ${broken[0]?.witness}`)}</p>`;
  return `<header>
<h1>Solegate bench</h1>
<p class="facts">${escaped(result.date.slice(0, 16).replace('T', ' '))} UTC · commit ${escaped(result.commit)} · seed ${result.settings.seed}<br>
${escaped(machine.processor)}, ${machine.coreCount} cores, ${machine.memoryGiB} GiB · Node ${escaped(machine.node)} · PostgreSQL ${escaped(machine.postgres)} · Redis ${escaped(machine.redis)}</p>
${verdict}
${figures.length === 0 ? '' : `<p class="verdict"><strong>${metCount} of ${figures.length} figures met.</strong></p>`}
<p class="key"><span class="solegate">Solegate</span><span class="original">the original design</span><span class="rejected">rejected options</span><span class="peer">packages from npm</span><span class="floor">lower bounds</span></p>
</header>`;
}

function figureSection(figures: readonly Figure[]): string {
  if (figures.length === 0) return '';
  const rows = figures.map(
    ({ text, range, bound, met, ...figure }) =>
      `<tr class="${met ? 'met' : 'missed'}"><td>${met ? 'met' : 'missed'}</td><td>${escaped(text)}</td>` +
      `<td class="number">${escaped(markedValue(figure))}</td><td class="number faint">${escaped(range)}</td>` +
      `<td class="number">${escaped(bound)}</td></tr>`,
  );
  return `<section>
<h2>Figures</h2>
<div class="scroll"><table>
<thead><tr><th></th><th>figure</th><th class="number">measured</th><th class="number">over the repeats</th><th class="number">target</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table></div>
</section>`;
}

function scenarioSection({ name, title, scaling }: Scenario, all: readonly Experiment[]): string {
  const experiments = all.filter(({ scenario }) => scenario === name);
  if (experiments.length === 0) return '';
  return `<section>
<h2>${title}</h2>
<div class="grid">
${experiments.map(experimentFigures).join('\n')}
${scaling === undefined ? '' : scalingFigure(scaling, experiments)}
</div>
</section>`;
}

function experimentFigures(experiment: Experiment): string {
  const { lead } = experiment;
  const note = `${lead.unit}, ${lead.better === 'more' ? 'more is better' : 'less is better'}; median (range of the repeats)`;
  const latency = latencyChart(experiment);
  const waiting =
    latency === undefined ? '' : `<p class="facts">How long callers waited, logarithmic:</p>${latency}`;
  return figure(experiment.title, note + brokenNote(experiment), barChart(experiment) + waiting);
}

/** Wrong answers of other subjects are why the product exists, so the caption of the picture lists them. */
function brokenNote({ measurements }: Experiment): string {
  const broken = measurements.flatMap(({ subject, violations: [violation] }) =>
    violation === undefined ? [] : [`${subject} (${violation.rule})`],
  );
  return broken.length === 0 ? '' : `. Guarantees broken by: ${broken.join(', ')}`;
}

function scalingFigure(
  { experiments, title, note }: NonNullable<Scenario['scaling']>,
  all: readonly Experiment[],
): string {
  const drawn = scalingChart(all.filter(({ id }) => id.startsWith(experiments)));
  return drawn === undefined ? '' : figure(title, note, drawn);
}

function figure(title: string, note: string, svg: string): string {
  return `<figure><figcaption><h3>${escaped(title)}</h3><p>${escaped(note)}</p></figcaption>${svg}</figure>`;
}

function method({ settings, machine }: BenchResult): string {
  const packages = Object.entries(machine.packages).map(([name, version]) => `${name} ${version}`);
  return `<section>
<h2>How this was measured</h2>
<p>Every subject ran ${settings.repeatCount} times, in turns with all others of its experiment and in an order drawn from the seed; a ratio is taken within one turn, and its median is what counts.
Closed loops have a fixed number of callers who each ask again when they are answered; in open loops requests arrive at a constant rate and latency counts from the moment at which each was due.
Before a speed was taken down, every answer was checked against counters, ledger and rows.</p>
<p class="facts">${escaped(packages.join(' · '))}</p>
</section>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
