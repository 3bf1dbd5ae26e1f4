import { becomeProgram, build, prepareWorkspace } from './workspace.mjs';

/** Builds the bench and becomes it; the arguments are its own. */
export async function run(args) {
  const env = await prepareWorkspace();
  await build('@solegate/bench', env);
  await becomeProgram('apps/bench/dist/main.js', args);
}
