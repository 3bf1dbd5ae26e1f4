import { scenarioNames } from '../suite/scenarios.js';
import { CommandLineError } from './command-line.js';

/**
 * The control switch: `BENCH_SABOTAGE=numbers,trips` takes a guard away from Solegate in those scenarios (by code of
 * the bench around it, none of the product), and the run must end with exit code 1. It answers the question whether
 * verification would notice.
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

/** Where the user typed the command: npm changes the folder before it runs a script. */
export function callerFolder(environment = process.env): string {
  return environment.INIT_CWD ?? process.cwd();
}
