import { faults } from '../faults/scenario.js';
import { gateway } from '../gateway/scenario.js';
import { ids } from '../ids/scenario.js';
import { nodeLeases } from '../node-leases/scenario.js';
import { numbers } from '../numbers/scenario.js';
import type { Scenario } from '../running/scenario.js';
import { trips } from '../trips/scenario.js';

/** Every scenario, in the order in which they run and are printed. A new one is a folder, and a line here. */
export const scenarios: readonly Scenario[] = [ids, nodeLeases, numbers, trips, gateway, faults];

/** Their names, for messages. */
export const scenarioNames: readonly string[] = scenarios.map(({ name }) => name);

/** Every figure that the project promises. */
export const targets = scenarios.flatMap((scenario) => scenario.targets);
