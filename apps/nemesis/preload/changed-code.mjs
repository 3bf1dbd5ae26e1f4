/** Loaded into a gateway before its own code: changes built modules while they are loaded. */
import { register } from 'node:module';

register('./change-code.mjs', import.meta.url, { data: JSON.parse(process.env.NEMESIS_CODE_CHANGE) });
