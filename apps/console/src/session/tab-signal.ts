import { effect, type Signal, signal } from '@preact/signals';

/** A signal of a JSON value that outlasts a reload of the page, and ends with the tab. */
export function tabSignal<Value>(name: string, initial: Value): Signal<Value> {
  const stored = sessionStorage.getItem(name);
  const kept = signal<Value>(stored === null ? initial : JSON.parse(stored));
  effect(() => {
    const text = JSON.stringify(kept.value);
    if (text === JSON.stringify(initial)) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, text);
  });
  return kept;
}
