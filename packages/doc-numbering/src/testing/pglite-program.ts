/**
 * Runs in a worker thread, because PGlite cannot be loaded where Jest replaces `import`. One server for all test files of
 * a process, with one connection: each message brings the port of a test database, whose statements run while it has the
 * connection.
 */
export const pgliteProgram = `
const { parentPort, workerData } = require('node:worker_threads');
const starting = (async () => require(workerData).PGlite.create())();
starting.catch(() => {});
// As text, if pg returns text, or if the thread that receives it must make an object of its own classes.
const asText = (text) => text;
const parsers = Object.fromEntries([20, 114, 1082, 1114, 1184, 3802].map((type) => [type, asText]));
const toReply = ({ rows, fields, affectedRows }) => {
  return { rows, types: fields.map(({ name, dataTypeID }) => [name, dataTypeID]), affectedRows };
};
const FACTS = ['message', 'code', 'detail', 'hint', 'constraint', 'routine', 'severity', 'table', 'column'];
let free = Promise.resolve();

/** Waits for the connection; returns what frees it, after a rollback of what is left. */
async function take(lite) {
  const earlier = free;
  let end;
  free = new Promise((resolve) => {
    end = resolve;
  });
  await earlier;
  return () => lite.exec('ROLLBACK').then(end, end);
}

parentPort.on('message', ({ port, schema }) => {
  let isClosed = false;
  let giveBack;
  const release = () => {
    giveBack?.();
    giveBack = undefined;
  };
  const commands = {
    async connect(lite) {
      giveBack = await take(lite);
      if (isClosed) return release();
      await lite.exec('CREATE SCHEMA IF NOT EXISTS ' + schema + '; SET search_path TO ' + schema);
    },
    query: async (lite, text, values) => toReply(await lite.query(text, values, { parsers })),
    exec: async (lite, text) => (await lite.exec(text, { parsers })).map(toReply),
    release: async () => release(),
  };
  port.on('message', async ({ id, command, text, values }) => {
    try {
      port.postMessage({ id, result: await commands[command](await starting, text, values) });
    } catch (error) {
      port.postMessage({ id, failure: Object.fromEntries(FACTS.map((name) => [name, error[name]])) });
    }
  });
  port.on('close', async () => {
    isClosed = true;
    release();
    const lite = await starting;
    giveBack = await take(lite);
    await lite.exec('DROP SCHEMA IF EXISTS ' + schema + ' CASCADE');
    release();
  });
});
`;
