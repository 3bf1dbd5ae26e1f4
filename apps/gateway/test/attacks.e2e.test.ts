import { testAttacks } from './attacked-gateway.js';

/** Each of these ended a process, or took a gigabyte, before bytes were counted. */
testAttacks(['large pings with a token', 'incomplete bodies without a token', 'responses that are not read']);
