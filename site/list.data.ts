import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { wholeOrder } from './order.mjs'

const docs = fileURLToPath(new URL('../docs', import.meta.url))

/** The rows of the page of all middleware: what the first sentence of each page says, and its bytes. */
export default {
  load() {
    const found = readFileSync(`${docs}/api.md`, 'utf8').matchAll(
      /^\| `sluice\/(?:middleware\/)?([\w-]+)` \| ([\d,]+) \|/gm,
    )
    const bytes = new Map(Array.from(found, ([, name, size]) => [name, size]))
    const rows = readdirSync(`${docs}/middleware`)
      .filter((name) => name.endsWith('.md'))
      .sort()
      .map((file) => {
        const name = file.slice(0, -3)
        return {
          name,
          text: firstSentence(readFileSync(`${docs}/middleware/${file}`, 'utf8')),
          bytes: bytes.get(name) ?? '',
        }
      })
    return { rows, order: wholeOrder() }
  },
}

const firstSentence = (page: string): string =>
  page
    .replace(/^# .*\n+/, '')
    .split(/\n\n/)[0]!
    .replaceAll('\n', ' ')
    .replace(/(?<=\.) .*/, '')
    .replaceAll('`', '')
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
