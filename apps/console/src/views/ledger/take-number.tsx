import { useState } from 'preact/hooks';
import { ConfirmAction } from '../../parts/confirm-action.js';
import { Choice, TextField } from '../../parts/field.js';
import { Moment } from '../../parts/moment.js';
import { Failure } from '../../parts/notice.js';
import { NumberLink } from '../../parts/number-link.js';
import { SeriesChoice, type SeriesCodes, useSeriesChoice, wordsOfSeries } from '../../parts/series-choice.js';
import { client } from '../../session/gateway-client.js';
import { roles } from '../../session/identity.js';
import { useAction } from '../../session/use-action.js';
import type { LedgerConditions } from './ledger-filter.js';

type Way = 'issue' | 'reserve' | 'assign';

/** A number taken on this page. */
interface Taken {
  readonly number: string;
  readonly projectCode: string;
  /** An open reservation. */
  readonly held?: { readonly token: string; readonly expiresAt: string };
  /** Its state, in words. */
  readonly words: string;
}

interface TakeNumberProps {
  readonly conditions: LedgerConditions;
  readonly onDone: () => void;
}

/** Takes a number without a document: issued, reserved for five minutes, or chosen by the user. */
export function TakeNumber({ conditions, onDone }: TakeNumberProps) {
  const choice = useSeriesChoice(conditions);
  const [way, setWay] = useState<Way>('issue');
  const [sequence, setSequence] = useState('');
  const [taken, setTaken] = useState<readonly Taken[]>([]);
  const { error, run } = useAction();
  const { chosen } = choice;
  const add = (one: Taken): void => {
    const isOther = ({ number, projectCode }: Taken): boolean =>
      number !== one.number || projectCode !== one.projectCode;
    setTaken((before) => [one, ...before.filter(isOther)]);
    onDone();
  };
  const attempt = (take: () => Promise<Taken>): Promise<void> => run(async () => add(await take()));
  return (
    <section class="panel stack tight">
      <h2>Take a number</h2>
      <div class="row end">
        <SeriesChoice choice={choice} />
        <Choice label="How" value={way} onValue={(text) => setWay(text as Way)} options={ways()} />
        {way === 'assign' && (
          <TextField label="Sequence" type="number" value={sequence} onValue={setSequence} isRequired />
        )}
        {chosen && way === 'assign' && (
          <ConfirmAction
            label={`Assign ${sequence || 'a number'}`}
            isDisabled={!(Number(sequence) > 0)}
            question={`Number ${sequence} of ${wordsOfSeries(chosen)} is issued. Those between the counter and this one are recorded as cancelled and will never be issued.`}
            run={async (reason) => add(await assign(chosen, Number(sequence), reason))}
          />
        )}
        {chosen && way !== 'assign' && (
          <button
            type="button"
            class="primary"
            onClick={() => void attempt(() => (way === 'issue' ? issue(chosen) : reserve(chosen)))}
          >
            {way === 'issue' ? 'Issue' : 'Reserve'}
          </button>
        )}
      </div>
      <Failure error={error} />
      <TakenNumbers taken={taken} onTaken={add} attempt={attempt} />
    </section>
  );
}

interface TakenNumbersProps {
  /** Newest first. */
  readonly taken: readonly Taken[];
  readonly onTaken: (taken: Taken) => void;
  readonly attempt: (take: () => Promise<Taken>) => Promise<void>;
}

function TakenNumbers({ taken, onTaken, attempt }: TakenNumbersProps) {
  return (
    <div role="status">
      {taken.length > 0 && (
        <ul class="stack tight">
          {taken.map((one) => (
            <li key={`${one.projectCode} ${one.number}`} class="row">
              <NumberLink number={one.number} projectCode={one.projectCode} />
              <span>{one.words}</span>
              {one.held && <Decision taken={one} held={one.held} onTaken={onTaken} attempt={attempt} />}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface DecisionProps extends Pick<TakenNumbersProps, 'onTaken' | 'attempt'> {
  readonly taken: Taken;
  readonly held: NonNullable<Taken['held']>;
}

/** Confirms or cancels a reservation before it expires. */
function Decision({ taken: { number, projectCode }, held, onTaken, attempt }: DecisionProps) {
  const { token, expiresAt } = held;
  const confirm = async (): Promise<Taken> => {
    await client.value.confirmDocumentNumber({ input: { token } });
    return { number, projectCode, words: 'confirmed' };
  };
  return (
    <>
      <span class="quiet small">
        until <Moment iso={expiresAt} />
      </span>
      <button type="button" onClick={() => void attempt(confirm)}>
        Confirm
      </button>
      <ConfirmAction
        label="Cancel number"
        question={`${number} of project ${projectCode} stays in the ledger as cancelled, and is never issued again.`}
        run={async (reason) => {
          await client.value.cancelDocumentNumber({ input: { token, reason } });
          onTaken({ number, projectCode, words: 'cancelled' });
        }}
      />
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

async function issue(codes: SeriesCodes): Promise<Taken> {
  const outcome = await client.value.issueDocumentNumber({ input: codes });
  if ('message' in outcome) throw new Error(outcome.message);
  return { number: outcome.number, projectCode: codes.projectCode, words: 'issued' };
}

async function reserve(codes: SeriesCodes): Promise<Taken> {
  const outcome = await client.value.reserveDocumentNumber({ input: codes });
  if ('message' in outcome) throw new Error(outcome.message);
  const { documentNumber, token, expiresAt } = outcome;
  const { number } = documentNumber;
  return { number, projectCode: codes.projectCode, held: { token, expiresAt }, words: 'reserved' };
}

async function assign(codes: SeriesCodes, sequence: number, reason: string): Promise<Taken> {
  const outcome = await client.value.assignDocumentNumber({ input: { ...codes, sequence, reason } });
  if ('message' in outcome) throw new Error(outcome.message);
  return { number: outcome.number, projectCode: codes.projectCode, words: 'assigned' };
}
