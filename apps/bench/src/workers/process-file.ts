import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * How to run a module of the bench in a process of its own. Built, it is JavaScript and runs as it is; from the sources
 * (under the tests) it runs through tsx, workspace packages by their sources as well.
 */
export function processFile(compiled: URL): { readonly file: string; readonly execArgv: string[] } {
  const file = fileURLToPath(compiled);
  if (existsSync(file)) return { file, execArgv: [] };
  const require = createRequire(import.meta.url);
  const loader = pathToFileURL(require.resolve('tsx')).href;
  return {
    file: file.replace(/\.js$/, '.ts'),
    execArgv: ['--conditions=@solegate/source', '--import', loader],
  };
}
