/** The environment of a server that the bench starts: the program path, and its settings. */
export function serverEnvironment(settings: NodeJS.ProcessEnv, environment = process.env): NodeJS.ProcessEnv {
  return { PATH: environment.PATH, HOME: environment.HOME, ...settings };
}
