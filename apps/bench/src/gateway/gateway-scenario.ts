import type { RunScenario } from '../running/scenario.js';
export const runGateway: RunScenario = async () => [];
