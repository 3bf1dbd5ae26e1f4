import { build, importBuilt, prepareWorkspace } from './workspace.mjs';

/** Builds the gateway and becomes it: same process, so that every signal reaches it and its exit is ours. */
export async function run() {
  const env = await prepareWorkspace();
  await build('@solegate/gateway', env);
  const { main } = await importBuilt('apps/gateway/dist/main.js');
  await main();
}
