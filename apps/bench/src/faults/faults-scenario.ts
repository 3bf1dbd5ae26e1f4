import type { RunScenario } from '../running/scenario.js';
export const runFaults: RunScenario = async () => [];
