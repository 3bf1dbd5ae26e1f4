import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** Lines of a failure's message to repeat at the end: the expected and the received value. */
const MESSAGE_LINES = 12;

/**
 * Reads the counts of each package from its Jest report. Anything that kept tests from running is a failure
 * too: a suite that could not be loaded, a task that ended without a report, or one that failed although its
 * report shows no failure.
 */
export function readResults(tasks) {
  return tasks.map((task) => {
    const row = {
      package: task.package,
      passed: 0,
      failed: 0,
      suites: 0,
      seconds: 0,
      notes: [],
      failures: [],
    };
    const file = join(task.directory, 'test-results.json');
    if (existsSync(file)) addReport(row, JSON.parse(readFileSync(file, 'utf8')), task.directory);
    else addFailure(row, 'no test results');
    if (row.failed === 0 && task.exitCode !== 0 && !task.cached) {
      addFailure(row, `exit code ${task.exitCode ?? 'unknown'}`);
    }
    if (task.cached) row.notes.push('unchanged');
    return row;
  });
}

/**
 * Prints the failures, then a table, then the line that scripts can rely on: `N passed, N failed`. The failures are
 * repeated here because the end of a log is the part that is read, and often the only one that is kept.
 */
export function printResults(results) {
  const width = Math.max(...results.map((row) => row.package.length), 'package'.length);
  const line = (name, ...cells) =>
    `${name.padEnd(width)}  ${cells.map((cell) => String(cell).padStart(7)).join(' ')}`;
  for (const row of results) {
    for (const { test, message } of row.failures) console.log(`\nFAILED ${row.package} ${test}\n${message}`);
  }
  console.log(`\n${line('package', 'passed', 'failed', 'files', 'seconds')}`);
  for (const row of results) {
    const counts = line(row.package, row.passed, row.failed, row.suites, row.seconds.toFixed(1));
    console.log(`${counts}  ${row.notes.join(', ')}`.trimEnd());
  }
  const total = (key) => results.reduce((sum, row) => sum + row[key], 0);
  console.log(`\n${total('passed')} passed, ${total('failed')} failed`);
}

function addReport(row, report, directory) {
  row.passed = report.numPassedTests;
  row.failed = report.numFailedTests;
  row.suites = report.numTotalTestSuites;
  row.seconds = report.testResults.reduce((sum, suite) => sum + (suite.endTime - suite.startTime), 0) / 1000;
  const unrun = report.numRuntimeErrorTestSuites;
  if (unrun > 0) addFailure(row, `${unrun} ${unrun === 1 ? 'file' : 'files'} could not run`, unrun);
  const skipped = report.numPendingTests + report.numTodoTests;
  if (skipped > 0) row.notes.push(`${skipped} skipped`);
  row.failures = report.testResults.flatMap((suite) => failuresOf(suite, relative(directory, suite.name)));
}

/** The failed tests of a file, or the file itself if it could not be run. */
function failuresOf(suite, file) {
  const failed = suite.assertionResults.filter(({ status }) => status === 'failed');
  if (failed.length === 0)
    return suite.status === 'failed' ? [{ test: file, message: shorten(suite.message) }] : [];
  return failed.map(({ fullName, failureMessages }) => ({
    test: `${file}: ${fullName}`,
    message: shorten(failureMessages.join('\n')),
  }));
}

function shorten(message) {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^ +at .*node_modules/.test(line));
  return lines
    .slice(0, MESSAGE_LINES)
    .map((line) => `  ${line}`)
    .join('\n');
}

function addFailure(row, note, count = 1) {
  row.failed += count;
  row.notes.push(note);
}
