import { testAttacks } from './attacked-gateway.js';
import { ATTACKS } from './attacks.js';

/** All that strangers are known to try; attacks.e2e.test.ts tries the worst of it. */
testAttacks(Object.keys(ATTACKS));
