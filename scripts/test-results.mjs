import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** Lines of a failure's message to repeat at the end: the expected and the received value. */
const MESSAGE_LINES = 12;
const SLOWEST_COUNT = 10;

/**
 * Reads the counts of each package from its Jest report. Anything that kept tests from running is a failure
 * too: a suite that could not be loaded, a task that ended without a report, or one that failed although its
 * report shows no failure.
 */
export function readResults(tasks) {
  return tasks.map((task) => {
    const row = {
      package: task.package,
      cached: task.cached,
      passed: 0,
      failed: 0,
      suites: 0,
      seconds: 0,
      notes: [],
      failures: [],
      tests: [],
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

/** Prints the slowest tests of one run, and a table of its packages. */
export function printResults(results, title, seconds) {
  printSlowest(results);
  const rows = results.filter((row) => row.suites > 0 || row.failed > 0);
  const width = Math.max(...rows.map((row) => row.package.length), 'package'.length);
  const line = (name, ...cells) =>
    `${name.padEnd(width)}  ${cells.map((cell) => String(cell).padStart(7)).join(' ')}`;
  console.log(`\n${line('package', 'passed', 'failed', 'files', 'seconds')}`);
  for (const row of rows) {
    const counts = line(row.package, row.passed, row.failed, row.suites, row.seconds.toFixed(1));
    console.log(`${counts}  ${row.notes.join(', ')}`.trimEnd());
  }
  console.log(`\n${title}: ${countsOf(results)} in ${seconds.toFixed(1)} s`);
}

/** Prints each failed test with its message. */
export function printFailures(results) {
  for (const row of results) {
    for (const { test, message } of row.failures) console.log(`\nFAILED ${row.package} ${test}\n${message}`);
  }
}

/** Prints the line that scripts can rely on: `N passed, N failed`. */
export function printTotal(results) {
  console.log(countsOf(results));
}

function countsOf(results) {
  const total = (key) => results.reduce((sum, row) => sum + row[key], 0);
  return `${total('passed')} passed, ${total('failed')} failed`;
}

/** The slowest of the tests that ran: those of unchanged packages took no time. */
function printSlowest(results) {
  const tests = results.filter(({ cached }) => !cached).flatMap((row) => row.tests);
  if (tests.length === 0) return;
  console.log('\nslowest tests');
  for (const test of tests.sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_COUNT)) {
    console.log(`${test.seconds.toFixed(1).padStart(6)} s  ${test.package} ${test.name}`);
  }
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
  row.tests = report.testResults.flatMap((suite) =>
    suite.assertionResults.map(({ fullName, duration }) => ({
      package: row.package,
      name: `${relative(directory, suite.name)}: ${fullName}`,
      seconds: (duration ?? 0) / 1000,
    })),
  );
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
