import { becomeProgram, build, prepareWorkspace } from './workspace.mjs';

/** Builds the gateway and becomes it, so that every signal reaches it and its exit is ours. */
export async function run(args) {
  const env = await prepareWorkspace();
  await build('@solegate/gateway', env);
  await becomeProgram('apps/gateway/dist/main.js', args);
}
