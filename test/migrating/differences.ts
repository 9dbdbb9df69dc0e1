import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'

/** The same question, as the other library answers it and as this package does. */
export interface Answers {
  readonly there: unknown
  readonly here: unknown
}

/** A line of "What differs": the words in bold, how both libraries are asked, and what they answer. */
export type Difference = readonly [line: string, ask: () => Promise<Answers>, answers: Answers]

/** The words in bold of each line below "What differs" of a part of docs/migrating.md. */
const linesOf = (part: string): string[] => {
  const page = readFileSync(new URL('../../docs/migrating.md', import.meta.url), 'utf8')
  const [, text = ''] = page.split(`\n## ${part}\n`)
  const [list = ''] = text.split('\n## ')
  return [...list.matchAll(/^- \*\*(.+?)\.\*\*/gm)].map(([, line]) => line!)
}

/** Ask both libraries about each line of the page, and refuse lines that only one side has. */
export const testDifferences = (part: string, differences: readonly Difference[]): void => {
  test(`docs/migrating.md lists these differences from ${part} and no others`, () =>
    expect(linesOf(part)).toEqual([...new Set(differences.map(([line]) => line))]))

  test.each(differences)('%s', async (_, ask, answers) => {
    expect(answers.here).not.toEqual(answers.there)
    expect(await ask()).toEqual(answers)
  })
}

/** Status and body of a response. */
export const read = async (
  answer: Response | Promise<Response>,
): Promise<{ readonly status: number; readonly body: string }> => {
  const response = await answer
  return { status: response.status, body: await response.text() }
}

export const statusOf = async (response: Response | Promise<Response>): Promise<number> => (await response).status

/** Ask a listener of Node over a socket. */
export const askListener = async (listener: RequestListener, path: string, init?: RequestInit): Promise<Response> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init })
    return new Response(response.status === 204 ? null : await response.arrayBuffer(), response)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

/** A POST of JSON text. */
export const posted = (body: string, type = 'application/json'): RequestInit => ({
  method: 'POST',
  body,
  headers: { 'content-type': type },
})
