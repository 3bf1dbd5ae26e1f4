import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/**
 * Replaces the selection with typed text without the browser's native editing. That would put a span with an inline
 * style in place of highlighted words, which the content security policy forbids and reports.
 */
export const typingOver: Extension = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data, inputType, isComposing } = event;
    const { from, to, empty } = view.state.selection.main;
    if (inputType !== 'insertText' || data === null || empty || isComposing) return false;
    const insert = () => view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type' });
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, from, to, data, insert))) view.dispatch(insert());
    return true;
  },
});
