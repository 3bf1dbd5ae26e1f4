import { useState } from 'preact/hooks';
import { ConfirmAction } from '../../parts/confirm-action.js';
import { TextField } from '../../parts/field.js';
import { count } from '../../parts/figures.js';
import { Notice } from '../../parts/notice.js';
import { SeriesChoice, useSeriesChoice } from '../../parts/series-choice.js';
import { client } from '../../session/gateway-client.js';

/** Corrects a counter: upwards, by numbers that nobody will get; or as it stands after a restore. */
export function CorrectCounter({ onDone }: { readonly onDone: () => void }) {
  const choice = useSeriesChoice();
  const [upTo, setUpTo] = useState('');
  const [report, setReport] = useState<string>();
  const { chosen } = choice;
  const skip = async (reason: string): Promise<void> => {
    if (chosen === undefined) return;
    const { skippedCount } = await client.value.skipDocumentNumbers({
      input: { ...chosen, upTo: Number(upTo), reason },
    });
    setReport(`${count(skippedCount)} numbers are recorded as cancelled.`);
    onDone();
  };
  const accept = async (reason: string): Promise<void> => {
    if (chosen === undefined) return;
    const { lastNumber, highWaterMark } = await client.value.acceptCounterRegression({
      input: { ...chosen, reason },
    });
    setReport(
      highWaterMark > lastNumber
        ? `The counter goes on from ${count(lastNumber)}; ${count(highWaterMark)} was issued once.`
        : `The counter stands at ${count(lastNumber)}, and nothing above was ever issued.`,
    );
    onDone();
  };
  return (
    <section class="panel stack tight">
      <h2>Correct a counter</h2>
      <div class="row end">
        <SeriesChoice choice={choice} />
        <TextField label="Skip up to" type="number" value={upTo} onValue={setUpTo} />
        <ConfirmAction
          label={`Skip up to ${Number(upTo) > 0 ? count(Number(upTo)) : 'it'}`}
          isDisabled={chosen === undefined || !(Number(upTo) > 0)}
          question="The numbers up to this one are recorded as cancelled. Nobody will ever get them."
          run={skip}
        />
      </div>
      <div class="row">
        <ConfirmAction
          label="Accept it after a restore"
          isDisabled={chosen === undefined}
          question="The counter is taken as it stands, below numbers that were issued once: they may be issued again. First make sure that nobody relies on them."
          run={accept}
        />
        <span class="quiet small">
          Only for a counter that refuses to go on because its database was set back.
        </span>
      </div>
      <div role="status">{report && <Notice kind="good">{report}</Notice>}</div>
    </section>
  );
}
