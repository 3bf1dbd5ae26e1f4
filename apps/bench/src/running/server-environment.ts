/** What a server that the bench starts sees of the environment: where programs lie, and its settings. */
export function serverEnvironment(settings: NodeJS.ProcessEnv, environment = process.env): NodeJS.ProcessEnv {
  return { PATH: environment.PATH, HOME: environment.HOME, ...settings };
}
