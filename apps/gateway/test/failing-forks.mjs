import cluster from 'node:cluster';

/** Preloaded into a gateway of several workers: with each SIGUSR2, the system fails to start processes in another way. */
const PROGRAMS = [
  process.execPath,
  // An error that is thrown, as one for want of memory is.
  '/dev/null/nothing',
  // An error that is emitted, as one for want of processes is.
  '/nothing',
];

if (cluster.isPrimary) {
  process.on('SIGUSR2', () => {
    PROGRAMS.push(...PROGRAMS.splice(0, 1));
    [process.execPath] = PROGRAMS;
  });
}
