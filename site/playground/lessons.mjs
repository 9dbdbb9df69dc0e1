/** The steps of `docs/tutorial.md` as the playground shows them: text, program, and the request to send. */
import { readFileSync } from 'node:fs'
import MarkdownIt from 'markdown-it'

const page = new URL('../../docs/tutorial.md', import.meta.url)
const PROGRAM = /^```ts\n(?:\/\/ [\w./-]+\n)?([\s\S]*?)^```\n/m
const markdown = new MarkdownIt()

/** The request of a command: `curl localhost:3000/path -X METHOD -H 'name: value' -d 'body'`. */
const requestOf = (command) => {
  const body = / -d '([^']*)'/.exec(command)?.[1]
  return {
    method: / -X (\w+)/.exec(command)?.[1] ?? (body === undefined ? 'GET' : 'POST'),
    path: /localhost:3000(\S*)/.exec(command)[1],
    headers: Array.from(command.matchAll(/ -H '([^']*)'/g), ([, header]) => header).join('\n'),
    body: body ?? '',
  }
}

/** Links of a page lead from the playground to the same page. */
const withLinks = (text) => text.replace(/\]\(([\w/-]+)\.md\)/g, '](../$1)')

/**
 * Every step has a program. One that only Node runs is shown in the text, and the program of the step before stays.
 *
 * @returns {{ name: string, html: string, code: string, compare: string, request: object }[]}
 */
export const lessons = () => {
  const steps = readFileSync(page, 'utf8').matchAll(/^## (\d+\. .+)\n([\s\S]*?)(?=^## )/gm)
  const made = []
  for (const [, name, text] of steps) {
    const [block, program] = PROGRAM.exec(text)
    const needsNode = /from '(?:node:|\.\/)/.test(program)
    const before = made.at(-1)
    const command = /^\$ curl .*$/m.exec(text)?.[0]
    const request = command ? requestOf(command) : { method: 'GET', path: before.request.path }
    made.push({
      name,
      html: markdown.render(withLinks(needsNode ? text : text.replace(block, ''))),
      code: needsNode ? before.code : program,
      compare: '',
      request: needsNode ? before.request : request,
    })
  }
  return made
}
