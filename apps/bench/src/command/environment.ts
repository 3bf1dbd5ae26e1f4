import { scenarioNames } from '../suite/scenarios.js';
import { CommandLineError } from './command-line.js';

/**
 * The control switch: `BENCH_SABOTAGE=numbers,trips` removes a guard from Solegate in these scenarios (by bench code
 * around it, none of the product), and the run must end with exit code 1. It shows whether verification detects
 * failures.
 */
export function sabotagedScenarios(environment = process.env): ReadonlySet<string> {
  const names = (environment.BENCH_SABOTAGE ?? '').split(',').filter((name) => name !== '');
  for (const name of names) {
    if (!scenarioNames.includes(name)) {
      throw new CommandLineError(`BENCH_SABOTAGE names "${name}"; there are ${scenarioNames.join(', ')}.`);
    }
  }
  return new Set(names);
}

/** The folder in which the user ran the command: npm changes the folder before it runs a script. */
export function callerFolder(environment = process.env): string {
  return environment.INIT_CWD ?? process.cwd();
}
