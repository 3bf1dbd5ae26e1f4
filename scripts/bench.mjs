import { build, importBuilt, prepareWorkspace } from './workspace.mjs';

/** Builds the bench and runs it in this process; it reads its arguments from `process.argv` like any program. */
export async function run(args) {
  const env = await prepareWorkspace();
  await build('@solegate/bench', env);
  process.argv.splice(2, process.argv.length, ...args);
  const { main } = await importBuilt('apps/bench/dist/main.js');
  await main();
}
