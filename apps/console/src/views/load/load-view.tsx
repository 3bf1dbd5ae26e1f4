import { useState } from 'preact/hooks';
import { Histogram } from '../../charts/histogram.js';
import { count, milliseconds } from '../../parts/figures.js';
import { Form } from '../../parts/form.js';
import { NumberLink } from '../../parts/number-link.js';
import { PageHead } from '../../parts/page-head.js';
import { SeriesChoice, useSeriesChoice } from '../../parts/series-choice.js';
import { client } from '../../session/gateway-client.js';
import { AnswerGrid } from './answer-grid.js';
import { type LoadAnswer, proofOf, runLoad } from './load-run.js';
import { Verdict } from './verdict.js';

const REQUEST_COUNT = 100;

interface Run {
  readonly answers: readonly LoadAnswer[];
  /** Set once all are answered. */
  readonly end?: { readonly tookMs: number; readonly latencies: readonly number[] };
}

export function LoadView() {
  const choice = useSeriesChoice();
  const [run, setRun] = useState<Run>();
  const isRunning = run !== undefined && run.end === undefined;

  const start = async (): Promise<void> => {
    if (choice.chosen === undefined) return;
    const answers: LoadAnswer[] = [];
    setRun({ answers });
    const startedAt = performance.now();
    const latencies = await runLoad(client.value, choice.chosen, REQUEST_COUNT, (answer) => {
      answers.push(answer);
      setRun({ answers: [...answers] });
    });
    setRun({ answers, end: { tookMs: performance.now() - startedAt, latencies } });
  };

  return (
    <>
      <PageHead
        title="Load"
        lede="A hundred requests for the next number of one series, all at once. Each must get its own number, and none may be skipped."
      />
      <div class="stack">
        <Form class="panel row end" onSubmit={() => start()}>
          <SeriesChoice choice={choice} />
          <button type="submit" class="primary" disabled={isRunning || choice.chosen === undefined}>
            Issue {REQUEST_COUNT} at once
          </button>
        </Form>
        {run === undefined ? (
          <p class="quiet">This issues {REQUEST_COUNT} real numbers, which stay in the ledger.</p>
        ) : (
          <Picture run={run} />
        )}
      </div>
    </>
  );
}

function Picture({ run: { answers, end } }: { readonly run: Run }) {
  const proof = proofOf(REQUEST_COUNT, answers);
  const numbers = answers
    .flatMap(({ issued }) => (issued === undefined ? [] : [issued]))
    .toSorted((one, other) => one.sequence - other.sequence);
  const [first, last] = [numbers[0], numbers.at(-1)];
  return (
    <>
      <div role="status">
        <Verdict proof={proof} />
      </div>
      <div class="columns">
        <section class="panel stack tight">
          <h2>Answers</h2>
          <AnswerGrid proof={proof} />
          {first && last && (
            <p class="quiet small">
              From <NumberLink {...first} /> to <NumberLink {...last} />
            </p>
          )}
        </section>
        <section class="panel">
          <h2>Latency</h2>
          {end === undefined ? (
            <p class="quiet">The chart appears after the last answer.</p>
          ) : (
            <>
              {end.latencies.length > 0 ? (
                <Histogram title={`Latency of ${end.latencies.length} requests`} values={end.latencies} />
              ) : (
                <p>This browser does not reveal how long a request took.</p>
              )}
              <p class="quiet small">
                All {count(answers.length)} in {milliseconds(end.tookMs)}. Each bar counts requests by
                duration; a browser sends six at a time to one host.
              </p>
            </>
          )}
        </section>
      </div>
    </>
  );
}
