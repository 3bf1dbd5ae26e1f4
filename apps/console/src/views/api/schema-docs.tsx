import { useState } from 'preact/hooks';
import schema from '../../../../gateway/schema.graphql?raw';
import { TextField } from '../../parts/field.js';
import { count } from '../../parts/figures.js';

interface Definition {
  readonly name: string;
  readonly kind: string;
  readonly text: string;
}

const SHOWN_MAX = 20;
const ROOTS = ['Query', 'Mutation', 'Subscription'];

/** Each definition of the schema, with its description, the three ways in first. */
const DEFINITIONS: readonly Definition[] = schema
  .split(/\n\n(?=\S)/)
  .map((text) => {
    const [, kind = '', name = ''] = /^(type|input|enum|union|scalar|interface) (\w+)/m.exec(text) ?? [];
    return { text, kind, name };
  })
  .filter(({ name }) => name !== '')
  .toSorted((one, other) => rankOf(one) - rankOf(other));

function rankOf({ name }: Definition): number {
  const root = ROOTS.indexOf(name);
  return root === -1 ? ROOTS.length : root;
}

/** The schema as the gateway was built with it: it comes with the page, so introspection may stay off. */
export function SchemaDocs() {
  const [search, setSearch] = useState('');
  const found = findDefinitions(search.trim().toLowerCase());
  return (
    <section class="panel stack tight">
      <h2>Schema</h2>
      <TextField label="A type, a field, or a word" type="search" value={search} onValue={setSearch} />
      <p class="quiet small" role="status">
        {count(found.length)} of {count(DEFINITIONS.length)} definitions
        {found.length > SHOWN_MAX && `, the first ${SHOWN_MAX} shown`}
      </p>
      {found.slice(0, SHOWN_MAX).map(({ name, kind, text }) => (
        <details key={name} open={found.length === 1}>
          <summary>
            {kind} <span class="mono">{name}</span>
          </summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard */}
          <pre class="mono code" tabIndex={0}>
            {text}
          </pre>
        </details>
      ))}
    </section>
  );
}

/** Those with the word in their name first, then those that speak of it. */
function findDefinitions(word: string): readonly Definition[] {
  if (word === '') return DEFINITIONS;
  const named = DEFINITIONS.filter(({ name }) => name.toLowerCase().includes(word));
  const speaking = DEFINITIONS.filter(
    (definition) => !named.includes(definition) && definition.text.toLowerCase().includes(word),
  );
  return [...named, ...speaking];
}
