import { becomeProgram, build, prepareWorkspace } from './workspace.mjs';

/** Returns the verb that builds one of our command-line programs, such as the bench, and runs it with the arguments. */
export function programVerb(name) {
  return {
    run: async (args) => {
      const env = await prepareWorkspace();
      await build(`@solegate/${name}`, env);
      await becomeProgram(`apps/${name}/dist/main.js`, args);
    },
  };
}
