import { faults } from '../faults/scenario.js';
import { gateway } from '../gateway/scenario.js';
import { ids } from '../ids/scenario.js';
import { nodeLeases } from '../node-leases/scenario.js';
import { numbers } from '../numbers/scenario.js';
import type { Scenario } from '../running/scenario.js';
import { trips } from '../trips/scenario.js';

/** All scenarios, in the order in which they run and are printed. To add one, create a folder and list it here. */
export const scenarios: readonly Scenario[] = [ids, nodeLeases, numbers, trips, gateway, faults];

/** Their names, for messages. */
export const scenarioNames: readonly string[] = scenarios.map(({ name }) => name);

/** All figures that the project promises. */
export const targets = scenarios.flatMap((scenario) => scenario.targets);
