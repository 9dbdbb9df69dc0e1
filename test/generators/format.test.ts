import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { formatFiles } from '../../generators/project/format.ts'
import { temporaryFolder } from './sandbox.ts'

/** A formatter that writes its name and its last argument, and then its input without doubled blanks. */
const SCRIPT = (name: string): string => `let text = ''
process.stdin.on('data', (chunk) => (text += chunk))
process.stdin.on('end', () => {
  const own = text.startsWith('// ${name}') ? '' : '// ${name} ' + process.argv.at(-1) + '\\n'
  process.stdout.write(own + text.replace(/ {2,}/g, ' '))
})
`

const put = (root: string, path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const install = (root: string, name: string, bin: object | string, script = SCRIPT(name)): void => {
  put(root, `node_modules/${name}/package.json`, JSON.stringify({ name, bin }))
  put(root, `node_modules/${name}/run.cjs`, script)
}

const format = async (root: string, path: string, contents: string, edit = false): Promise<string> => {
  const [file] = await formatFiles(root, [{ path, contents, ...(edit && { edit }) }])
  return file?.contents ?? ''
}

describe('issue 34: what was rendered is formatted by the formatter of the project', () => {
  test.each([
    ['@biomejs/biome', { biome: 'run.cjs' }, '--stdin-file-path=src/a.ts'],
    ['prettier', './run.cjs', 'src/a.ts'],
    ['oxfmt', { oxfmt: 'run.cjs' }, '--stdin-filepath=src/a.ts'],
  ])('%s', async (name, bin, argument) => {
    const root = temporaryFolder()
    install(root, name, bin)
    expect(await format(root, 'src/a.ts', 'const a  = 1\n')).toBe(`// ${name} ${argument}\nconst a = 1\n`)
  })

  test('biome goes before prettier, and a package of a folder above is found', async () => {
    const root = temporaryFolder()
    install(root, 'prettier', 'run.cjs')
    install(root, '@biomejs/biome', { biome: 'run.cjs' })
    mkdirSync(join(root, 'packages/shop'), { recursive: true })
    expect(await format(join(root, 'packages/shop'), 'a.ts', 'x')).toMatch(/^\/\/ @biomejs\/biome /)
  })

  test('without a formatter the text stays as it was rendered', async () => {
    expect(await format(temporaryFolder(), 'a.ts', 'const a  = 1\n')).toBe('const a  = 1\n')
  })

  test.each([
    ['fails', 'process.exit(1)'],
    ['writes nothing', ''],
    ['does not read its input', 'process.stdin.destroy()'],
  ])('where the formatter %s, the text stays as it was rendered', async (_, script) => {
    const root = temporaryFolder()
    install(root, 'prettier', 'run.cjs', script)
    const long = `const a  = '${'x'.repeat(300_000)}'\n`
    expect(await format(root, 'a.ts', long)).toBe(long)
  })

  test('only code is formatted, and a file that is already there as it was rendered is not', async () => {
    const root = temporaryFolder()
    install(root, 'prettier', 'run.cjs')
    put(root, 'b.ts', 'const b  = 1\n')
    expect(await format(root, 'README.md', 'a  b')).toBe('a  b')
    expect(await format(root, 'b.ts', 'const b  = 1\n')).toBe('const b  = 1\n')
    const [again] = await formatFiles(root, [{ path: 'b.ts', contents: 'const b  = 1\n' }], { again: true })
    expect(again?.contents).toContain('const b = 1\n')
  })

  test('an edit is formatted only if the file was, so that no other line of a person changes', async () => {
    const root = temporaryFolder()
    install(root, 'prettier', 'run.cjs')
    put(root, 'mine.ts', 'const a  = 1\n')
    put(root, 'formatted.ts', '// prettier\nconst a = 1\n')
    expect(await format(root, 'mine.ts', 'const a  = 1\nconst b  = 2\n', true)).toBe('const a  = 1\nconst b  = 2\n')
    expect(await format(root, 'formatted.ts', '// prettier\nconst a = 1\nconst b  = 2\n', true)).toBe(
      '// prettier\nconst a = 1\nconst b = 2\n',
    )
  })
})
