import { loadScript } from '../src/index.js';
import { appendText } from './lua/append.js';

/** Records a call in a list, and returns how many were recorded. */
export const append = loadScript({
  name: 'append',
  text: appendText,
  keyCount: 1,
  decode: (reply) => (reply as [number, string])[0],
});
