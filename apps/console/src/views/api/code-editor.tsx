import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language';
import { type Diagnostic, forEachDiagnostic, nextDiagnostic, setDiagnosticsEffect } from '@codemirror/lint';
import { EditorState, type Extension, Prec } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { CODE_STYLE } from './code-style.js';
import { typingOver } from './typing-over.js';

export interface Problem {
  readonly line: number;
  readonly message: string;
}

interface CodeEditorProps {
  /** Names the editor; shown above it unless it is read-only. */
  readonly label: string;
  readonly value: string;
  /** The language, with its completion and checks; fixed at the first render. */
  readonly language: Extension;
  readonly isReadOnly?: boolean;
  /** Called after each change, with the position of the cursor. */
  readonly onValue?: (value: string, cursor: number) => void;
  readonly onProblems?: (problems: readonly Problem[]) => void;
  readonly onRun?: () => void;
}

/**
 * CodeMirror in a shadow root: there it uses adopted style sheets, which the content security policy allows; in the
 * document it would add a style element, which the policy forbids. Tab is left to the page, so focus is never trapped.
 */
export function CodeEditor(props: CodeEditorProps) {
  const { label, value, language, isReadOnly = false } = props;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  const newest = useRef(props);
  newest.current = props;

  useLayoutEffect(() => {
    const root = place.current?.attachShadow({ mode: 'open' });
    if (root === undefined) return;
    view.current = new EditorView({
      root,
      parent: root,
      doc: value,
      extensions: [
        isReadOnly ? READING : WRITING,
        language,
        CODE_STYLE,
        EditorView.lineWrapping,
        // Its own tab stop makes the scrollable region reachable by keyboard.
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
        Prec.highest(keymap.of(['Mod-Enter', 'Ctrl-Enter'].map((key) => ({ key, run: runs })))),
        EditorView.updateListener.of((update) => {
          const { onValue, onProblems } = newest.current;
          if (update.docChanged || update.selectionSet) {
            onValue?.(update.state.doc.toString(), update.state.selection.main.head);
          }
          const isChecked = update.transactions.some(({ effects }) =>
            effects.some((effect) => effect.is(setDiagnosticsEffect)),
          );
          if (isChecked) onProblems?.(problemsOf(update.state));
        }),
      ],
    });
    function runs(): boolean {
      newest.current.onRun?.();
      return true;
    }
    return () => view.current?.destroy();
  }, []);

  useLayoutEffect(() => {
    const { current } = view;
    if (current === undefined || current.state.doc.toString() === value) return;
    current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: value } });
  }, [value]);

  return (
    <div class="field">
      {!isReadOnly && (
        <span class="label" aria-hidden="true">
          {label}
        </span>
      )}
      <div ref={place} class="code-editor" />
    </div>
  );
}

const WRITING: Extension = [
  lineNumbers(),
  history(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  typingOver,
  autocompletion({ icons: false }),
  keymap.of([
    ...closeBracketsKeymap,
    ...completionKeymap,
    ...historyKeymap,
    { key: 'F8', run: nextDiagnostic },
    ...defaultKeymap,
  ]),
];

const READING: Extension = [
  EditorState.readOnly.of(true),
  foldGutter({ openText: '▾', closedText: '▸' }),
  keymap.of([...foldKeymap, ...defaultKeymap]),
];

function problemsOf(state: EditorState): readonly Problem[] {
  const problems: Problem[] = [];
  forEachDiagnostic(state, ({ message }: Diagnostic, from) => {
    problems.push({ line: state.doc.lineAt(from).number, message });
  });
  return problems;
}
