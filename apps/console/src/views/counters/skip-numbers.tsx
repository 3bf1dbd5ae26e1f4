import { useState } from 'preact/hooks';
import { ConfirmAction } from '../../parts/confirm-action.js';
import { TextField } from '../../parts/field.js';
import { count } from '../../parts/figures.js';
import { Notice } from '../../parts/notice.js';
import { SeriesChoice, useSeriesChoice } from '../../parts/series-choice.js';
import { client } from '../../session/gateway-client.js';

/** Corrects a counter upwards: numbers that nobody will get are recorded as cancelled, so that there is no hole. */
export function SkipNumbers({ onDone }: { readonly onDone: () => void }) {
  const choice = useSeriesChoice();
  const [upTo, setUpTo] = useState('');
  const [said, setSaid] = useState<string>();
  const { chosen } = choice;
  return (
    <section class="panel stack tight">
      <h2>Skip numbers</h2>
      <div class="row end">
        <SeriesChoice choice={choice} />
        <TextField label="Up to" type="number" value={upTo} onValue={setUpTo} />
      </div>
      <div class="row">
        {chosen && Number(upTo) > 0 ? (
          <ConfirmAction
            label={`Skip up to ${count(Number(upTo))}`}
            question="The numbers up to this one are recorded as cancelled. Nobody will ever get them."
            run={async (reason) => {
              const { skippedCount } = await client.value.skipDocumentNumbers({
                input: { ...chosen, upTo: Number(upTo), reason },
              });
              setSaid(`${count(skippedCount)} numbers are recorded as cancelled.`);
              onDone();
            }}
          />
        ) : (
          <span class="quiet small">Say up to which number; the last one stands in the table above.</span>
        )}
      </div>
      <div role="status">{said && <Notice kind="good">{said}</Notice>}</div>
    </section>
  );
}
