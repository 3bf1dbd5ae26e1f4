import { Worker } from 'node:worker_threads';

/** Runs a TypeScript file in a thread, with tsx registered for it, and returns what it posts. */
export function inThread<Answer>(file: URL, workerData: unknown): Promise<Answer> {
  const code = `import(${JSON.stringify(import.meta.resolve('tsx/esm/api'))}).then(({ register }) => {
    register();
    return import(${JSON.stringify(file.href)});
  });`;
  const worker = new Worker(code, { eval: true, workerData });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}
