import { useState } from 'preact/hooks';
import { ConfirmAction } from '../../parts/confirm-action.js';
import { TextField } from '../../parts/field.js';
import { count, countOf } from '../../parts/figures.js';
import { wordsOfDay } from '../../parts/moment.js';
import { Notice } from '../../parts/notice.js';
import { SeriesChoice, useSeriesChoice, wordsOfSeries } from '../../parts/series-choice.js';
import { client } from '../../session/gateway-client.js';

/** Corrects a counter: skips numbers, or accepts its value after a restore. */
export function CorrectCounter({ onDone }: { readonly onDone: () => void }) {
  const choice = useSeriesChoice();
  const [date, setDate] = useState('');
  const [upTo, setUpTo] = useState('');
  const [report, setReport] = useState<string>();
  const { chosen } = choice;
  const counter = chosen && { ...chosen, ...(date !== '' && { date, otherPeriod: true }) };
  const words = `${chosen ? wordsOfSeries(chosen) : ''} in the period of ${date === '' ? 'today' : wordsOfDay(date)}`;
  const skip = async (reason: string): Promise<void> => {
    if (counter === undefined) return;
    const { skippedCount } = await client.value.skipDocumentNumbers({
      input: { ...counter, upTo: Number(upTo), reason },
    });
    setReport(`${countOf(skippedCount, 'number')} recorded as cancelled.`);
    onDone();
  };
  const accept = async (reason: string): Promise<void> => {
    if (counter === undefined) return;
    const { lastNumber, highWaterMark } = await client.value.acceptCounterRegression({
      input: { ...counter, reason },
    });
    setReport(
      highWaterMark > lastNumber
        ? `The counter continues from ${count(lastNumber)}; ${count(highWaterMark)} was already issued.`
        : `The counter is at ${count(lastNumber)}, and no higher number was ever issued.`,
    );
    onDone();
  };
  return (
    <section class="panel stack tight">
      <h2>Correct a counter</h2>
      <div class="row end">
        <SeriesChoice choice={choice} />
        <TextField label="Business date, if not today" type="date" value={date} onValue={setDate} />
        <TextField label="Skip up to" type="number" value={upTo} onValue={setUpTo} />
        <ConfirmAction
          label={`Skip up to ${Number(upTo) > 0 ? count(Number(upTo)) : 'a number'}`}
          isDisabled={chosen === undefined || !(Number(upTo) > 0)}
          question={`The numbers of ${words} up to ${upTo} are recorded as cancelled and will never be issued.`}
          run={skip}
        />
      </div>
      <div class="row">
        <ConfirmAction
          label="Accept after a restore"
          isDisabled={chosen === undefined}
          question={`The counter of ${words} is accepted as it is, below numbers that were already issued: they may be issued again. First make sure that no one relies on them.`}
          run={accept}
        />
        <span class="quiet small">Only for a counter that stopped because its database was rolled back.</span>
      </div>
      <div role="status">{report && <Notice kind="good">{report}</Notice>}</div>
    </section>
  );
}
