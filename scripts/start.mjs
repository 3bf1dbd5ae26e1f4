import { becomeProgram, build, prepareWorkspace } from './workspace.mjs';

/** Builds the gateway and runs it in this process, so that it gets every signal and its exit code is ours. */
export async function run(args) {
  const env = await prepareWorkspace();
  await build('@solegate/gateway', env);
  await becomeProgram('apps/gateway/dist/main.js', args);
}
