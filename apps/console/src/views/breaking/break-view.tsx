import { Fact } from '../../parts/fact.js';
import { count, countOf } from '../../parts/figures.js';
import { Moment } from '../../parts/moment.js';
import { Failure, Notice } from '../../parts/notice.js';
import { PageHead } from '../../parts/page-head.js';
import { useAction } from '../../session/use-action.js';
import { useAnswer } from '../../session/use-answer.js';
import { askBreaker, type BreakState, NoBreakerError } from './breaker.js';

const READ_EVERY_MS = 500;

/** Attempts to break the promises, and a live count of what was broken. */
export function BreakView() {
  const run = useAnswer(() => askBreaker('GET'), [], {
    everyMs: READ_EVERY_MS,
    isFinal: (error) => error instanceof NoBreakerError,
  });
  const action = useAction();
  const { value: state } = run;
  const act = async (method: 'POST' | 'DELETE', path = ''): Promise<void> => {
    await action.run(() => askBreaker(method, path));
    run.reload();
  };
  return (
    <>
      <PageHead
        title="Break it"
        lede="Several processes issue numbers and race for trips, at random times, for up to five minutes. Stop Redis meanwhile. Each number must go to one caller, none may be missing, and each trip must have one winner."
      />
      <div class="stack">
        <Attempts state={state} isActing={action.isRunning} act={act} />
        <Failure error={action.error ?? run.error} onRetry={run.reload} />
        {state && run.error === undefined && state.startedAt !== null && <Counts state={state} />}
        {state?.startedAt === null && (
          <p class="quiet">
            The numbers are taken from a project of their own, BREAK, and stay in the ledger.
          </p>
        )}
      </div>
    </>
  );
}

interface AttemptsProps {
  readonly state: BreakState | undefined;
  readonly isActing: boolean;
  readonly act: (method: 'POST' | 'DELETE', path?: string) => Promise<void>;
}

/** Starts and ends the attempts, and stops Redis. */
function Attempts({ state, isActing, act }: AttemptsProps) {
  const isRedisAway = isAhead(state?.redisBackAt);
  const isEnding = state?.isRunning && state.endedAt !== null;
  return (
    <section class="panel row" aria-label="Attempts">
      {state?.isRunning ? (
        <button type="button" disabled={isEnding || isActing} onClick={() => void act('DELETE')}>
          End the attempts
        </button>
      ) : (
        <button type="button" class="primary" disabled={!state || isActing} onClick={() => void act('POST')}>
          Start the attempts
        </button>
      )}
      <button
        type="button"
        disabled={!state || isRedisAway || isActing}
        onClick={() => void act('POST', '/redis')}
      >
        Stop Redis for ten seconds
      </button>
      <span role="status" class="quiet">
        {isEnding && 'The attempts have ended; the ledger is searched once more. '}
        {isRedisAway && state && (
          <>
            Redis answers nobody until <Moment iso={state.redisBackAt} />.
          </>
        )}
      </span>
    </section>
  );
}

interface CountsProps {
  readonly state: BreakState;
}

function Counts({ state }: CountsProps) {
  const broken = [
    { name: 'Duplicate numbers', found: state.duplicateCount },
    { name: 'Holes', found: state.holeCount },
    { name: 'Second winners', found: state.secondWinnerCount },
  ];
  const isWhole = broken.every(({ found }) => found === 0);
  return (
    <>
      <section class="columns thirds" aria-label="What was broken">
        {broken.map(({ name, found }) => (
          <div key={name} class="panel">
            <h2>{name}</h2>
            <p class={`huge ${found === 0 ? '' : 'broken'}`}>{count(found)}</p>
          </div>
        ))}
      </section>
      <div role="status">
        {!isWhole && <Notice kind="broken">A promise was broken.</Notice>}
        {isWhole && !state.isRunning && state.numberCount > 0 && <Verdict state={state} />}
      </div>
      <section class="panel">
        <h2>{state.isRunning ? 'Attempts so far' : 'Attempts of the last run'}</h2>
        <dl class="facts">
          <Fact name="Started">
            <Moment iso={state.startedAt} />
          </Fact>
          <Fact name="Processes that call">{state.processCount}</Fact>
          <Fact name="Numbers issued">{count(state.numberCount)}</Fact>
          <Fact name="Races for a trip">{count(state.raceCount)}</Fact>
          <Fact name="Accepts answered">{count(state.pressCount)}</Fact>
          <Fact name="Failed calls">{count(state.failedCount)}</Fact>
          <Fact name="Ledger searched">
            <Moment iso={state.holesCheckedAt} />
          </Fact>
        </dl>
      </section>
    </>
  );
}

/** What a run without anything broken has shown. */
function Verdict({ state: { numberCount, raceCount, endedAt, holesCheckedAt } }: CountsProps) {
  const attempts = `${countOf(numberCount, 'number')} and ${countOf(raceCount, 'race')}`;
  const isSearched =
    endedAt !== null && holesCheckedAt !== null && Date.parse(holesCheckedAt) >= Date.parse(endedAt);
  return isSearched ? (
    <Notice kind="good">{attempts}: no duplicate, no hole, no second winner.</Notice>
  ) : (
    <Notice kind="limit">
      {attempts}: no duplicate, no second winner. The ledger was not searched for holes since the end.
    </Notice>
  );
}

function isAhead(iso: string | null | undefined): boolean {
  return typeof iso === 'string' && Date.parse(iso) > Date.now();
}
