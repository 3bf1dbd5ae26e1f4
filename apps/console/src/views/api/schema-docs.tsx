import { type GraphQLNamedType, getNamedType } from 'graphql';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { TextField } from '../../parts/field.js';
import { count } from '../../parts/figures.js';
import { type Member, membersOf, SCHEMA, searchSchema, TYPES_BY_KIND } from './schema.js';

const FOUND_SHOWN_MAX = 40;

/** The address of a type's documentation. */
export function addressOfType(name: string): string {
  return `/api?type=${name}`;
}

/** The schema documentation, with search; each type has its own address. */
export function SchemaDocs() {
  const { query } = useLocation();
  const [search, setSearch] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);
  const chosen = query.type === undefined ? undefined : SCHEMA.getType(query.type);
  const seen = useRef(chosen);
  const word = search.trim().toLowerCase();
  // Moves the focus to the name of the chosen type.
  useLayoutEffect(() => {
    if (seen.current === chosen) return;
    seen.current = chosen;
    setSearch('');
    heading.current?.focus();
  }, [chosen]);
  return (
    <section class="panel stack tight" aria-labelledby="schema-heading">
      <h2 id="schema-heading" ref={heading} tabIndex={-1}>
        {chosen === undefined ? 'Schema' : <a href="/api">Schema</a>}
        {chosen !== undefined && ` › ${chosen.name}`}
      </h2>
      <TextField label="Type, field, or word" type="search" value={search} onValue={setSearch} />
      {word !== '' && <Found word={word} />}
      {word === '' && chosen !== undefined && <TypePage type={chosen} />}
      {word === '' && chosen === undefined && <AllTypes />}
    </section>
  );
}

function Found({ word }: { readonly word: string }) {
  const found = searchSchema(word);
  return (
    <>
      <p class="quiet small" role="status">
        {count(found.length)} {found.length === 1 ? 'match' : 'matches'}
        {found.length > FOUND_SHOWN_MAX && `, showing the first ${FOUND_SHOWN_MAX}`}
      </p>
      <ul class="schema-list">
        {found.slice(0, FOUND_SHOWN_MAX).map(({ type, member, description }) => (
          <li key={`${type}.${member}`}>
            <a class="mono" href={addressOfType(type)}>
              {member === '' ? type : `${type}.${member}`}
            </a>
            <Description text={description} />
          </li>
        ))}
      </ul>
    </>
  );
}

function AllTypes() {
  return (
    <>
      {TYPES_BY_KIND.map(({ kind, types }, index) => (
        <details key={kind} open={index === 0}>
          <summary>
            {kind} · {count(types.length)}
          </summary>
          <ul class="schema-list">
            {types.map(({ name, description }) => (
              <li key={name}>
                <a class="mono" href={addressOfType(name)}>
                  {name}
                </a>
                <Description text={description ?? ''} />
              </li>
            ))}
          </ul>
        </details>
      ))}
    </>
  );
}

function TypePage({ type }: { readonly type: GraphQLNamedType }) {
  return (
    <>
      <Description text={type.description ?? ''} />
      <MemberList members={membersOf(type)} />
    </>
  );
}

function MemberList({ members }: { readonly members: readonly Member[] }) {
  if (members.length === 0) return null;
  return (
    <ul class="schema-list">
      {members.map((member) => (
        <li key={member.name}>
          <code>
            <Signature member={member} />
          </code>
          <Description text={member.description} />
          {member.deprecationReason && <p class="small">Deprecated: {member.deprecationReason}</p>}
          <MemberList members={member.args} />
        </li>
      ))}
    </ul>
  );
}

function Signature({ member: { name, type, isType, defaultText } }: { readonly member: Member }) {
  if (isType) return <a href={addressOfType(name)}>{name}</a>;
  if (type === undefined) return <>{name}</>;
  const inner = getNamedType(type).name;
  const [before, after] = String(type).split(inner);
  return (
    <>
      {name}: {before}
      <a href={addressOfType(inner)}>{inner}</a>
      {after}
      {defaultText !== undefined && ` = ${defaultText}`}
    </>
  );
}

/** Renders names between backticks as code. */
function Description({ text }: { readonly text: string }) {
  if (text === '') return null;
  return (
    <p class="quiet small">
      {text.split('`').map((piece, index) => (index % 2 === 0 ? piece : <code key={index}>{piece}</code>))}
    </p>
  );
}
