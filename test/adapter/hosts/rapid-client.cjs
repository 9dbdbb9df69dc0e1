const Module = require('node:module')

/**
 * In place of the compiled client of aws-lambda-ric, which is libcurl: the same three calls over `node:http`. Everything
 * else of that package runs as it is published. Loaded with `--require`.
 */
const base = `http://${process.env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime/invocation`
let sent = Promise.resolve()
const post = (path, body) => {
  sent = fetch(`${base}/${path}`, { method: 'POST', body }).then((response) => response.arrayBuffer())
}
const client = {
  initializeClient() {},
  async next() {
    await sent
    const response = await fetch(`${base}/next`)
    return { bodyJson: await response.text(), headers: Object.fromEntries(response.headers) }
  },
  done: (id, body) => post(`${id}/response`, body),
  error: (id, body) => post(`${id}/error`, body),
}

const load = Module._load
Module._load = (request, ...rest) => (request === './rapid-client.node' ? client : load(request, ...rest))
