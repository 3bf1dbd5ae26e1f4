import { useState } from 'preact/hooks';
import { lazy } from 'preact-iso';
import { Choice } from '../../parts/field.js';
import { milliseconds } from '../../parts/figures.js';
import { Failure } from '../../parts/notice.js';
import { PageHead } from '../../parts/page-head.js';
import { chooseDemoUser, credentials, isDemo } from '../../session/identity.js';
import { SAMPLES } from './samples.js';

const SchemaDocs = lazy(() => import('./schema-docs.js').then((docs) => docs.SchemaDocs));

interface Reply {
  readonly status: number;
  readonly tookMs: number;
  readonly text: string;
}

export function ApiView() {
  return (
    <>
      <PageHead
        title="API"
        lede="GraphQL by POST at /graphql, subscriptions also by WebSocket. Everything on these pages goes through it."
      />
      <div class="columns">
        <Editor />
        <SchemaDocs />
      </div>
    </>
  );
}

/** An operation as it is written, and what the gateway says to it. */
function Editor() {
  const [sample, setSample] = useState(0);
  const [query, setQuery] = useState(SAMPLES[0]?.query ?? '');
  const [reply, setReply] = useState<Reply>();
  const [error, setError] = useState<unknown>();
  const choose = (index: number): void => {
    const chosen = SAMPLES[index];
    if (chosen === undefined) return;
    setSample(index);
    setQuery(chosen.query);
    if (isDemo) chooseDemoUser(chosen.user);
  };
  const run = async (): Promise<void> => {
    setError(undefined);
    try {
      setReply(await send(query));
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <form
      class="panel stack"
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <div class="row end">
        <Choice
          label="Operation"
          value={String(sample)}
          onValue={(index) => choose(Number(index))}
          options={SAMPLES.map(({ name, user }, index) => ({
            value: String(index),
            text: isDemo ? `${name} · ${user || 'everybody'}` : name,
          }))}
        />
        <button type="submit" class="primary">
          Run
        </button>
      </div>
      <textarea
        class="mono code"
        aria-label="GraphQL; Ctrl-Enter runs it"
        rows={20}
        spellcheck={false}
        value={query}
        onInput={({ currentTarget }) => setQuery(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void run();
        }}
      />
      <Failure error={error} />
      <Answer reply={reply} />
    </form>
  );
}

function Answer({ reply }: { readonly reply: Reply | undefined }) {
  return (
    <div role="status" class="stack tight">
      {reply === undefined ? (
        <p class="quiet small">Ctrl-Enter runs it too.</p>
      ) : (
        <>
          <p class="quiet small">
            HTTP {reply.status} after {milliseconds(reply.tookMs)}
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard */}
          <pre class="mono code answer" tabIndex={0}>
            {reply.text}
          </pre>
        </>
      )}
    </div>
  );
}

/** Whatever is written, as it stands: the client knows only its own operations. */
async function send(query: string): Promise<Reply> {
  const startedAt = performance.now();
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...credentials() },
    body: JSON.stringify({ query }),
  });
  const text = JSON.stringify(await response.json(), null, 2);
  return { status: response.status, tookMs: performance.now() - startedAt, text };
}
