import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Counts of each package, from the report that its Jest wrote. Whatever kept tests from running is a
 * failure too: a suite that could not be loaded, a task that ended without a report or badly in spite of a
 * good one.
 */
export function readResults(tasks) {
  return tasks.map((task) => {
    const row = { package: task.package, passed: 0, failed: 0, suites: 0, seconds: 0, notes: [] };
    const file = join(task.directory, 'test-results.json');
    if (existsSync(file)) addReport(row, JSON.parse(readFileSync(file, 'utf8')));
    else addFailure(row, 'no test results');
    if (row.failed === 0 && task.exitCode !== 0 && !task.cached) {
      addFailure(row, `exit code ${task.exitCode ?? 'unknown'}`);
    }
    if (task.cached) row.notes.push('unchanged');
    return row;
  });
}

/** A table, then the one line that scripts may rely on: `N passed, N failed`. */
export function printResults(results) {
  const width = Math.max(...results.map((row) => row.package.length), 'package'.length);
  const line = (name, ...cells) =>
    `${name.padEnd(width)}  ${cells.map((cell) => String(cell).padStart(7)).join(' ')}`;
  console.log(`\n${line('package', 'passed', 'failed', 'files', 'seconds')}`);
  for (const row of results) {
    const counts = line(row.package, row.passed, row.failed, row.suites, row.seconds.toFixed(1));
    console.log(`${counts}  ${row.notes.join(', ')}`.trimEnd());
  }
  const total = (key) => results.reduce((sum, row) => sum + row[key], 0);
  console.log(`\n${total('passed')} passed, ${total('failed')} failed`);
}

function addReport(row, report) {
  row.passed = report.numPassedTests;
  row.failed = report.numFailedTests;
  row.suites = report.numTotalTestSuites;
  row.seconds = report.testResults.reduce((sum, suite) => sum + (suite.endTime - suite.startTime), 0) / 1000;
  const unrun = report.numRuntimeErrorTestSuites;
  if (unrun > 0) addFailure(row, `${unrun} ${unrun === 1 ? 'file' : 'files'} could not run`, unrun);
  const skipped = report.numPendingTests + report.numTodoTests;
  if (skipped > 0) row.notes.push(`${skipped} skipped`);
}

function addFailure(row, note, count = 1) {
  row.failed += count;
  row.notes.push(note);
}
