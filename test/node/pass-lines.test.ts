import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { passLines } from '../../src/runtime/node/pass-lines.ts'

/** What goes out, write by write, when chunks come in. */
const writesOf = async (chunks: readonly string[]): Promise<string[]> => {
  const [from, to] = [new PassThrough(), new PassThrough()]
  const writes: string[] = []
  to.on('data', (chunk) => writes.push(`${chunk}`))
  passLines(from, to)
  for (const chunk of chunks) {
    from.write(chunk)
    await new Promise(setImmediate)
  }
  from.end()
  await new Promise((resolve) => from.on('close', () => setImmediate(resolve)))
  return writes
}

const half = 'x'.repeat(600_000)
const mebibyte = 'x'.repeat(1_048_576)

test.each([
  ['a line', ['one\n'], ['one\n']],
  ['two lines in one chunk', ['one\ntwo\n'], ['one\ntwo\n']],
  ['a line in three chunks', ['o', 'n', 'e\n'], ['one\n']],
  ['the end of a line and the beginning of the next', ['on', 'e\ntw', 'o\n'], ['one\n', 'two\n']],
  ['a last line without an end gets one', ['one\ntwo'], ['one\n', 'two\n']],
  ['nothing', [], []],
  ['a line of a mebibyte is kept for its end', [mebibyte, 'end\n'], [`${mebibyte}end\n`]],
  ['of a line that went out in parts, the rest alone', [half, half, 'end'], [half + half, 'end\n']],
  ['empty lines', ['\n', '\n'], ['\n', '\n']],
  ['a line of more than a mebibyte goes out in parts', [half, half, 'end\n'], [half + half, 'end\n']],
])('OP4: %s', async (_, chunks, expected) => {
  expect(await writesOf(chunks)).toEqual(expected)
})

test('OP4: a process without an output has no lines', () => {
  const to = new PassThrough()
  passLines(null, to)
  expect(to.writableLength).toBe(0)
})
