import { expect, test } from 'vitest'
import { openFailurePage } from '../../generators/dev/failure-page.ts'
import { freePort } from '../../generators/dev/port.ts'
import { temporaryFolder } from './sandbox.ts'

/** The reason on the page for what a runtime has printed. */
const reasonOf = async (said: string): Promise<string | undefined> => {
  const port = await freePort(29_000 + (process.pid % 1000), 'localhost')
  const page = await openFailurePage({ root: temporaryFolder(), port, host: 'localhost' }, said)
  try {
    const response = await fetch(`http://localhost:${port}`, { headers: { accept: 'text/html' } })
    return /<p class="reason">(.*?)<\/p>/.exec(await response.text())?.[1]
  } finally {
    await page.close()
  }
}

test.each([
  [
    'Node with tsx',
    'Error: Transform failed with 1 error:\n/a/routes.ts:4:0: ERROR: Unexpected end of file\n    at failure',
    'Unexpected end of file',
  ],
  [
    'Node that reads TypeScript itself',
    'const broken = (\n^^^^\n\nSyntaxError [ERR_INVALID_TYPESCRIPT_SYNTAX]: Expression expected\n    at parseTypeScript',
    'SyntaxError [ERR_INVALID_TYPESCRIPT_SYNTAX]: Expression expected',
  ],
  [
    'Node without a module',
    'node:internal/modules/esm/resolve:272\n\nError [ERR_MODULE_NOT_FOUND]: Cannot find package x imported from y\n    at z',
    'Error [ERR_MODULE_NOT_FOUND]: Cannot find package x imported from y',
  ],
  [
    'Deno with a syntax error',
    '\u001b[0m\u001b[1m\u001b[31merror\u001b[0m: SyntaxError: Expression expected\n  |\n4 | export {}',
    'SyntaxError: Expression expected',
  ],
  [
    'Deno with an error of the program',
    'error: Uncaught (in promise) TypeError: a is not a function\n    at f',
    'Uncaught (in promise) TypeError: a is not a function',
  ],
  ['Bun', '4 | export {}\n    ^\nerror: Unexpected export\n    at /a/routes.ts:4:1', 'Unexpected export'],
  ['an error of the program', 'ready\nTypeError: a is not a function\n    at f', 'TypeError: a is not a function'],
  ['a program that only says goodbye', 'bye', undefined],
])('P27: the page of a program that failed says why first: %s', async (_, said, reason) => {
  expect(await reasonOf(said)).toBe(reason)
})
