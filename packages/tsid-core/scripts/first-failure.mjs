import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const preset = createRequire(import.meta.url).resolve('@solegate/testkit/jest-preset');
const { default: TestRunEnvironment } = await import(
  new URL('jest.environment.mjs', pathToFileURL(preset)).href
);

/** The realm of every test, but for a run that ends with its first failed one. */
// biome-ignore lint/style/noDefaultExport: Jest asks for it
export default class FirstFailureEnvironment extends TestRunEnvironment {
  handleTestEvent({ name }) {
    if (name === 'test_fn_failure' || name === 'hook_failure') process.exit(1);
  }
}
