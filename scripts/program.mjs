import { becomeProgram, build, prepareWorkspace } from './workspace.mjs';

/** The verb that builds one of our command-line programs, such as the bench, and becomes it; the arguments are its own. */
export function programVerb(name) {
  return {
    run: async (args) => {
      const env = await prepareWorkspace();
      await build(`@solegate/${name}`, env);
      await becomeProgram(`apps/${name}/dist/main.js`, args);
    },
  };
}
