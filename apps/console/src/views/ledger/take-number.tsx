import type { CallOptions } from '@solegate/client';
import { useState } from 'preact/hooks';
import { ConfirmAction } from '../../parts/confirm-action.js';
import { Choice, TextField } from '../../parts/field.js';
import { Moment } from '../../parts/moment.js';
import { Failure, Notice } from '../../parts/notice.js';
import { NumberLink } from '../../parts/number-link.js';
import { SeriesChoice, type SeriesCodes, useSeriesChoice, wordsOfSeries } from '../../parts/series-choice.js';
import { granted } from '../../session/failure.js';
import { client } from '../../session/gateway-client.js';
import { roles } from '../../session/identity.js';
import { isKept, sendKept } from '../../session/kept-keys.js';
import { addTaken, type TakenNumber, takenNumbers } from '../../session/taken-numbers.js';
import { useAction } from '../../session/use-action.js';
import type { LedgerConditions } from './ledger-filter.js';

type Way = 'issue' | 'reserve' | 'assign';

interface TakeNumberProps {
  readonly conditions: LedgerConditions;
  readonly onDone: () => void;
}

/** Takes a number without a document: issued, reserved for five minutes, or chosen by the user. */
export function TakeNumber({ conditions, onDone }: TakeNumberProps) {
  const choice = useSeriesChoice(conditions);
  const [way, setWay] = useState<Way>('issue');
  const [sequence, setSequence] = useState('');
  const { error, isRunning, run } = useAction();
  const { chosen, fields } = choice;
  const intent = chosen === undefined ? way : `${way} ${wordsOfSeries(chosen)}`;
  const add = (taken: TakenNumber): void => {
    addTaken(taken);
    onDone();
  };
  const take = async (codes: SeriesCodes): Promise<void> =>
    add(
      await sendKept(intent, (options) =>
        way === 'issue' ? issue(codes, options) : reserve(codes, options),
      ),
    );
  return (
    <section class="panel stack tight">
      <h2>Take a number</h2>
      <div class="row end">
        <SeriesChoice choice={choice} />
        {fields && (
          <Choice label="How" value={way} onValue={(text) => setWay(text as Way)} options={ways()} />
        )}
        {way === 'assign' && (
          <TextField label="Sequence" type="number" value={sequence} onValue={setSequence} isRequired />
        )}
        {fields && way === 'assign' && (
          <ConfirmAction
            label={`Assign ${sequence || 'a number'}`}
            isDisabled={chosen === undefined || !(Number(sequence) > 0)}
            question={`Number ${sequence} of ${wordsOfSeries(fields)} is issued. Those between the counter and this one are recorded as cancelled and will never be issued.`}
            run={async (reason) => add(await assign(fields, Number(sequence), reason))}
          />
        )}
        {fields && way !== 'assign' && (
          <button
            type="button"
            class="primary"
            disabled={isRunning || chosen === undefined}
            onClick={() => void run(() => take(fields))}
          >
            {way === 'issue' ? 'Issue' : 'Reserve'}
          </button>
        )}
      </div>
      <Failure error={error} />
      {isKept(intent) && (
        <Notice kind="limit">
          A number may have been taken. Pressing again repeats the same request and takes no second number.
        </Notice>
      )}
      <TakenList onTaken={add} />
    </section>
  );
}

interface TakenListProps {
  readonly onTaken: (taken: TakenNumber) => void;
}

function TakenList({ onTaken }: TakenListProps) {
  return (
    <div role="status">
      {takenNumbers.value.length > 0 && (
        <ul class="stack tight">
          {takenNumbers.value.map((taken) => (
            <li key={`${taken.projectCode} ${taken.number}`} class="row">
              <NumberLink number={taken.number} projectCode={taken.projectCode} />
              <span>{taken.words}</span>
              {taken.held && <Decision taken={taken} held={taken.held} onTaken={onTaken} />}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface DecisionProps extends TakenListProps {
  readonly taken: TakenNumber;
  readonly held: NonNullable<TakenNumber['held']>;
}

/** Confirms or cancels a reservation before it expires. */
function Decision({ taken: { number, projectCode }, held, onTaken }: DecisionProps) {
  const { error, isRunning, run } = useAction();
  const { token, expiresAt } = held;
  const confirm = async (): Promise<void> => {
    await client.value.confirmDocumentNumber({ input: { token } });
    onTaken({ number, projectCode, words: 'confirmed' });
  };
  return (
    <>
      <span class="quiet small">
        until <Moment iso={expiresAt} />
      </span>
      <button type="button" disabled={isRunning} onClick={() => void run(confirm)}>
        Confirm
      </button>
      <ConfirmAction
        label="Cancel number"
        isDisabled={isRunning}
        question={`${number} of project ${projectCode} stays in the ledger as cancelled, and is never issued again.`}
        run={async (reason) => {
          await client.value.cancelDocumentNumber({ input: { token, reason } });
          onTaken({ number, projectCode, words: 'cancelled' });
        }}
      />
      <Failure error={error} />
    </>
  );
}

function ways(): readonly { readonly value: Way; readonly text: string }[] {
  const ofClerks = [
    { value: 'issue', text: 'next number' },
    { value: 'reserve', text: 'reserve 5 min' },
  ] as const;
  return roles.value.has('admin') ? [...ofClerks, { value: 'assign', text: 'choose number' }] : ofClerks;
}

async function issue(codes: SeriesCodes, options: CallOptions): Promise<TakenNumber> {
  const outcome = granted(await client.value.issueDocumentNumber({ input: codes }, options));
  return { number: outcome.number, projectCode: codes.projectCode, words: 'issued' };
}

async function reserve(codes: SeriesCodes, options: CallOptions): Promise<TakenNumber> {
  const outcome = granted(await client.value.reserveDocumentNumber({ input: codes }, options));
  const { documentNumber, token, expiresAt } = outcome;
  const { number } = documentNumber;
  return { number, projectCode: codes.projectCode, held: { token, expiresAt }, words: 'reserved' };
}

async function assign(codes: SeriesCodes, sequence: number, reason: string): Promise<TakenNumber> {
  const outcome = granted(await client.value.assignDocumentNumber({ input: { ...codes, sequence, reason } }));
  return { number: outcome.number, projectCode: codes.projectCode, words: 'assigned' };
}
