/** Global teardown of a Jest run: ends the servers that `jest.setup.mjs` started, if any. */
// biome-ignore lint/style/noDefaultExport: Jest asks for it
export default async function tearDown() {
  await globalThis[Symbol.for('solegate.testRun')]?.end();
}
