import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const FACE = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'var(--paper)', borderRadius: '4px' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '2px' },
  '.cm-scroller': { maxHeight: '480px', overflow: 'auto', font: '13px / 20px var(--mono)' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--ink)' },
  '.cm-gutters': { color: 'var(--quiet)', backgroundColor: 'transparent', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '24px' },
  '.cm-foldGutter .cm-gutterElement': { cursor: 'pointer' },
  '.cm-foldPlaceholder': {
    color: 'var(--quiet)',
    backgroundColor: 'var(--raised)',
    borderColor: 'var(--line)',
  },
  '&.cm-focused .cm-matchingBracket, .cm-matchingBracket': {
    backgroundColor: 'var(--accent-wash)',
    outline: '1px solid var(--line)',
  },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'transparent', color: 'var(--red)' },
  '.cm-lintRange-error, .cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--amber)',
    textUnderlineOffset: '3px',
  },
  '.cm-tooltip': {
    color: 'var(--ink)',
    backgroundColor: 'var(--paper)',
    border: '1px solid var(--edge)',
    borderRadius: '4px',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { font: '13px / 20px var(--mono)', maxHeight: '208px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px', lineHeight: '20px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--accent)',
    backgroundColor: 'var(--accent-wash)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-completionDetail': { color: 'var(--quiet)', fontStyle: 'normal' },
  '.cm-completionInfo': { padding: '8px', font: '13px / 20px system-ui, sans-serif' },
  '.cm-diagnostic': { padding: '4px 8px', border: 'none', font: '13px / 20px system-ui, sans-serif' },
});

const WORDS = HighlightStyle.define([
  { tag: [tags.definitionKeyword, tags.keyword, tags.modifier], color: 'var(--sequence)' },
  { tag: [tags.string, tags.special(tags.name)], color: 'var(--node)' },
  { tag: [tags.integer, tags.float, tags.number, tags.bool, tags.null], color: 'var(--time)' },
  { tag: [tags.atom, tags.variableName], color: 'var(--time)' },
  { tag: [tags.attributeName, tags.lineComment, tags.punctuation], color: 'var(--quiet)' },
]);

/** The console's palette, which follows light and dark automatically. */
export const CODE_STYLE: Extension = [FACE, syntaxHighlighting(WORDS)];
