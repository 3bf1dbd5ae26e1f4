import { json, jsonParseLinter } from '@codemirror/lang-json';
import { linter } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import { graphql, showInDocsCommand } from 'cm6-graphql';
import { SCHEMA } from './schema.js';

const checkJson = jsonParseLinter();

/** Variables can be omitted. */
export const VARIABLES: Extension = [
  json(),
  linter((view) => (view.state.doc.toString().trim() === '' ? [] : checkJson(view))),
];

export const REPLY: Extension = json();

/**
 * GraphQL, completed and checked against the schema.
 *
 * @param showType called with the type at the cursor, on F1 or Ctrl-click
 */
export function operationLanguage(showType: (name: string) => void): Extension {
  return [
    graphql(SCHEMA, {
      onShowInDocs(_field, type, parentType) {
        const name = (type ?? parentType ?? '').replaceAll(/[[\]!]/g, '');
        if (SCHEMA.getType(name) !== undefined) showType(name);
      },
    }),
    keymap.of([{ key: 'F1', run: showInDocsCommand, preventDefault: true }]),
  ];
}
