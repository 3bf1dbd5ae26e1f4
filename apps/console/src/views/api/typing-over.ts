import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/**
 * Replaces what is selected by what is typed without the browser's own editing: that would put a span with a style of its
 * own where coloured words were, which the policy of the page forbids and reports.
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
