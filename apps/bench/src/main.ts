import { randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import { CommandLineError, parseCommandLine, type RunRequest } from './command/command-line.js';
import { callerFolder, sabotagedScenarios } from './command/environment.js';
import { HELP } from './command/help.js';
import { decisiveViolations } from './measuring/result.js';
import { ResultFileError, readResult, resultFile, writeResult } from './reporting/result-file.js';
import { colorPaint, plainPaint, terminalTable } from './reporting/terminal-table.js';
import { createProgress } from './running/progress.js';
import type { RunSettings } from './running/run-settings.js';

const EXIT = { held: 0, broken: 1, commandLine: 2, failed: 3 } as const;

const paint = process.stdout.isTTY ? colorPaint : plainPaint;

async function main(): Promise<number> {
  const command = parseCommandLine(process.argv.slice(2));
  const inCallerFolder = (file: string): string => resolve(callerFolder(), file);
  switch (command.kind) {
    case 'help':
      console.log(HELP.trim());
      return EXIT.held;
    case 'run':
      return run(command.request, inCallerFolder(command.request.outputFolder));
    case 'compare': {
      const { comparisonTable } = await import('./reporting/comparison.js');
      const [before, after] = await Promise.all([
        readResult(inCallerFolder(command.before)),
        readResult(inCallerFolder(command.after)),
      ]);
      console.log(comparisonTable(before, after));
      return EXIT.held;
    }
    case 'publish': {
      const { publish } = await import('./reporting/publish.js');
      for (const file of await publish(await readResult(inCallerFolder(command.file)))) console.log(file);
      return EXIT.held;
    }
  }
}

async function run(request: RunRequest, folder: string): Promise<number> {
  const settings = completeSettings(request);
  console.log(`seed ${settings.seed}`);
  const { runBench } = await import('./suite/run-bench.js');
  const result = await runBench(settings, createProgress(process.stderr));
  const file = resultFile(folder, result);
  await writeResult(file, result);
  const { writePage } = await import('./reporting/html-page.js');
  const page = await writePage(file, result);
  console.log(`\n${terminalTable(result, paint)}\n\n${file}\n${page}`);
  const violations = decisiveViolations(result);
  for (const violation of violations) console.error(paint.bad(`BROKEN  ${violation}`));
  return violations.length === 0 ? EXIT.held : EXIT.broken;
}

function completeSettings(request: RunRequest): RunSettings {
  const { outputFolder: _folder, ...asked } = request;
  return {
    ...asked,
    repeatCount: request.repeatCount ?? (request.quick ? 2 : 3),
    seed: request.seed ?? randomInt(2 ** 32),
    sabotage: sabotagedScenarios(),
  };
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    const isUsers = error instanceof CommandLineError || error instanceof ResultFileError;
    console.error(isUsers ? error.message : error);
    process.exit(isUsers ? EXIT.commandLine : EXIT.failed);
  },
);
