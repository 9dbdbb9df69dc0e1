import assert from 'node:assert/strict'
import { ask } from './client.mjs'

const matches = (value, wanted) => {
  if (wanted === null) return value === undefined
  return wanted instanceof RegExp ? wanted.test(value) : value === wanted
}

/** Ask what a row says and compare what came back. */
export const checkRow = async (origin, [, question, expected]) => {
  const answer = await ask(origin, question)
  const { status, text, json, empty, headers = {}, check } = expected
  const shown = `${answer.status} ${JSON.stringify(answer.headers)} ${answer.text.slice(0, 300)}`
  if (status) assert.equal(answer.status, status, shown)
  if (text !== undefined) assert.equal(answer.text, text)
  if (json !== undefined) assert.deepEqual(answer.json(), json)
  if (empty) assert.equal(answer.bytes.length, 0, shown)
  for (const [name, wanted] of Object.entries(headers)) {
    assert.ok(matches(answer.headers[name], wanted), `${name}: ${answer.headers[name]}, wanted ${wanted}; ${shown}`)
  }
  if (check) assert.ok(check(answer), shown)
}
