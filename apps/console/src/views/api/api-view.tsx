import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { CopyButton } from '../../parts/copy-button.js';
import { Choice } from '../../parts/field.js';
import { count, countOf, milliseconds } from '../../parts/figures.js';
import { Form } from '../../parts/form.js';
import { Failure, Notice } from '../../parts/notice.js';
import { PageHead } from '../../parts/page-head.js';
import { chooseDemoUser, isDemo } from '../../session/identity.js';
import { ask, type Question, type Reply } from './ask.js';
import { CodeEditor, type Problem } from './code-editor.js';
import { operationLanguage, REPLY, VARIABLES } from './languages.js';
import { SAMPLES, type Sample } from './samples.js';
import { addressOfType, SchemaDocs } from './schema-docs.js';

const FIRST = { query: SAMPLES[0]?.query ?? '', variables: SAMPLES[0]?.variables ?? '' };

const PROBLEMS_SHOWN_MAX = 3;

/** An operation editor, the gateway's answer, and the schema. */
export function ApiView() {
  const running = useRunning();
  return (
    <>
      <PageHead
        title="API"
        lede="GraphQL over POST at /graphql, subscriptions over server-sent events or WebSocket. This console uses the same API."
      />
      <div class="columns">
        <Operation running={running} />
        <div class="stack">
          <Answer reply={running.reply} error={running.error} />
          <SchemaDocs />
        </div>
      </div>
    </>
  );
}

interface OperationProps {
  readonly running: ReturnType<typeof useRunning>;
}

function Operation({ running }: OperationProps) {
  const { route } = useLocation();
  const [text, setText] = useState(FIRST);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const cursor = useRef(0);
  const language = useMemo(() => operationLanguage((type) => route(addressOfType(type))), []);
  const choose = ({ query, variables = '', user }: Sample): void => {
    setText({ query, variables });
    cursor.current = 0;
    running.clear();
    if (isDemo) chooseDemoUser(user);
  };
  const run = (): void => running.start({ ...text, cursor: cursor.current });
  return (
    <Form class="panel stack tight" onSubmit={run}>
      <OperationChoice running={running} onChoose={choose} />
      <CodeEditor
        label="GraphQL"
        language={language}
        value={text.query}
        onValue={(query, place) => {
          cursor.current = place;
          setText((before) => ({ ...before, query }));
        }}
        onProblems={setProblems}
        onRun={run}
      />
      <Problems problems={problems} />
      <CodeEditor
        label="Variables, as JSON"
        language={VARIABLES}
        value={text.variables}
        onValue={(variables) => setText((before) => ({ ...before, variables }))}
        onRun={run}
      />
      <p class="quiet small">
        Ctrl-Enter runs, Ctrl-Space completes, F1 shows the type at the cursor, F8 goes to the next problem.
      </p>
    </Form>
  );
}

interface OperationChoiceProps extends OperationProps {
  readonly onChoose: (sample: Sample) => void;
}

function OperationChoice({ running, onChoose }: OperationChoiceProps) {
  const [sample, setSample] = useState('0');
  const isFollowing = running.isRunning && running.reply?.eventCount !== undefined;
  return (
    <div class="row end">
      <Choice
        label="Operation"
        value={sample}
        onValue={(index) => {
          const chosen = SAMPLES[Number(index)];
          if (chosen === undefined) return;
          setSample(index);
          onChoose(chosen);
        }}
        options={SAMPLES.map(({ name, user }, index) => ({
          value: String(index),
          text: isDemo ? `${name} · ${user || 'everyone'}` : name,
        }))}
      />
      <button type="submit" class="primary">
        Run
      </button>
      {isFollowing && (
        <button type="button" onClick={running.stop}>
          Stop
        </button>
      )}
    </div>
  );
}

function Problems({ problems }: { readonly problems: readonly Problem[] }) {
  return (
    <div role="status">
      {problems.length > 0 && (
        <Notice kind="limit">
          {problems.slice(0, PROBLEMS_SHOWN_MAX).map(({ line, message }) => (
            <p key={`${line} ${message}`} class="small">
              Line {line}: {message}
            </p>
          ))}
          {problems.length > PROBLEMS_SHOWN_MAX && (
            <p class="small">and {count(problems.length - PROBLEMS_SHOWN_MAX)} more</p>
          )}
        </Notice>
      )}
    </div>
  );
}

function Answer({ reply, error }: { readonly reply: Reply | undefined; readonly error: unknown }) {
  const text = reply?.text ?? '';
  return (
    <section class="panel stack tight" aria-labelledby="answer-heading">
      <div class="row apart">
        <h2 id="answer-heading">Answer</h2>
        {text !== '' && <CopyButton text={text} what="the answer" />}
      </div>
      <p class="quiet small" role="status">
        {reply === undefined ? 'Nothing has been run yet.' : headOf(reply)}
      </p>
      <Failure error={error} />
      {text !== '' && <CodeEditor label="Answer, as JSON" language={REPLY} value={text} isReadOnly />}
    </section>
  );
}

function headOf({ status, tookMs, eventCount }: Reply): string {
  if (eventCount === undefined) return `HTTP ${status} after ${milliseconds(tookMs)}`;
  if (eventCount === 0) return 'Subscribed; no events yet.';
  return `${countOf(eventCount, 'event')}, newest first`;
}

/** Runs one operation at a time: a new one, or leaving the view, aborts the previous one. */
function useRunning() {
  const [reply, setReply] = useState<Reply>();
  const [error, setError] = useState<unknown>();
  const [isRunning, setRunning] = useState(false);
  const current = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => current.current?.abort(), []);
  const stop = (): void => {
    current.current?.abort();
    setRunning(false);
  };
  const clear = (): void => {
    stop();
    setReply(undefined);
    setError(undefined);
  };
  const start = (question: Question): void => {
    stop();
    const own = new AbortController();
    current.current = own;
    const { signal } = own;
    const listen = async (): Promise<void> => {
      for await (const answer of ask(question, signal)) if (!signal.aborted) setReply(answer);
    };
    setError(undefined);
    setRunning(true);
    listen()
      .catch((failure: unknown) => {
        if (!signal.aborted) setError(withWords(failure));
      })
      .finally(() => {
        if (!signal.aborted) setRunning(false);
      });
  };
  return { reply, error, isRunning, start, stop, clear };
}

/** The browser reports what is wrong with the JSON, but not that the variables are meant. */
function withWords(failure: unknown): unknown {
  return failure instanceof SyntaxError
    ? new Error(`The variables are not valid JSON: ${failure.message}`)
    : failure;
}
