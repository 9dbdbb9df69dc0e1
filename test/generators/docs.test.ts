import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { COMMANDS } from '../../generators/commands.ts'
import { commonVariables } from '../../generators/kinds/kind.ts'
import { KINDS } from '../../generators/kinds.ts'
import { parseName } from '../../generators/names/names.ts'
import { runCommand } from './run-command.ts'
import { CHECKOUT, temporaryFolder } from './sandbox.ts'

const text = readFileSync(join(CHECKOUT, 'docs/cli.md'), 'utf8')

/** What the page shows as the output of a command line. */
const shown = (line: string): string => text.split(`\`\`\`console\n$ npx sluice ${line}\n`)[1]?.split('\n```')[0] ?? ''

describe('docs/cli.md says what the command does', () => {
  test.each(['--help', 'generate --help'])('the output of %s is the real one', async (line) => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    await runCommand('/', line.split(' '))
    expect(shown(line)).toBe(
      log.mock.calls
        .flat()
        .join('\n')
        .replace(/^\n+|\n+$/g, ''),
    )
    log.mockRestore()
  })

  test('the output of a dry run is the real one', async () => {
    const { out } = await runCommand(temporaryFolder(), 'g model User --dry-run --soft-delete'.split(' '))
    expect(shown('g model User --dry-run --soft-delete')).toBe(out.trimEnd())
  })

  test.each(COMMANDS.flatMap(({ name, options }) => [`\`${name}`, ...options.map((option) => `--${option.name}`)]))(
    '%s is in it',
    (word) => {
      expect(text).toContain(word)
    },
  )

  test('every template and every variable is in it', () => {
    for (const name of KINDS.flatMap(({ templates }) => templates)) expect(text).toContain(`\`${name}\``)
    const input = {
      root: '/',
      name: parseName('admin/blog-post'),
      fields: [],
      typed: [],
      unique: [],
      isDefined: false,
      flags: new Set<string>(),
      table: 'blog_posts',
      id: 'uuid',
      now: new Date(0),
    } as const
    for (const [name, value] of Object.entries(commonVariables(input))) {
      expect(text).toContain(`\`${name}\``)
      if (typeof value === 'string') expect(text).toContain(`\`${value}\``)
    }
  })
})

test('commands that people copy mean the same in every shell: zsh refuses a bare "?", and parentheses need quotes', () => {
  const pages = readdirSync(join(CHECKOUT, 'docs'), { encoding: 'utf8' }).filter((file) => file.endsWith('.md'))
  const blocks = ['README.md', ...pages.map((page) => `docs/${page}`)]
    .map((file) => readFileSync(join(CHECKOUT, file), 'utf8'))
    .flatMap((page) => [...page.matchAll(/^```(?:sh|console)\n(.*?)^```$/gms)].map(([, block = '']) => block))
  const templates = ['README.md', 'src/start-page.ts'].map((file) =>
    readFileSync(join(CHECKOUT, `generators/templates/project/${file}.ejs`), 'utf8'),
  )
  const commands = [
    ...COMMANDS.flatMap(({ examples }) => examples),
    ...[...blocks, ...templates].flatMap((text) => text.match(/(?<=npx sluice )(?:'[^'\n]*'|[^"'`,\n])+/g) ?? []),
  ]
  expect(commands.length).toBeGreaterThan(50)
  expect(commands.filter((line) => /[?*()[\]]/.test(line.replace(/'[^']*'/g, '')))).toEqual([])
})
