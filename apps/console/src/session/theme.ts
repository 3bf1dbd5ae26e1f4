import { effect, signal } from '@preact/signals';

export type Theme = 'auto' | 'light' | 'dark';

const KEY = 'solegate-theme';
const isTheme = (text: string | null): text is Theme => text === 'light' || text === 'dark';
const kept = localStorage.getItem(KEY);

/** Light, dark, or the system's setting. */
export const theme = signal<Theme>(isTheme(kept) ? kept : 'auto');

effect(() => {
  const { dataset } = document.documentElement;
  if (theme.value === 'auto') {
    delete dataset.theme;
    localStorage.removeItem(KEY);
  } else {
    dataset.theme = theme.value;
    localStorage.setItem(KEY, theme.value);
  }
});
