import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { loadEnv } from '../../src/env/load-env.ts'
import { env } from '../../src/env.ts'
import { expectLinear } from '../growth.ts'

let folder: string
let before: NodeJS.ProcessEnv
const cwd = process.cwd()

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-env-'))
  before = { ...process.env }
  process.chdir(folder)
})

afterEach(() => {
  process.chdir(cwd)
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(before, name)) delete process.env[name]
  Object.assign(process.env, before)
  rmSync(folder, { recursive: true })
})

const write = (files: Record<string, string>): void => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
}

describe('N1: loadEnv', () => {
  test('reads .env of the working directory into the process and returns it', () => {
    write({ '.env': 'SLUICE_A=1\nSLUICE_B="two words"' })
    expect(loadEnv()).toEqual({ SLUICE_A: '1', SLUICE_B: 'two words' })
    expect({ a: env('SLUICE_A'), b: process.env.SLUICE_B }).toEqual({ a: '1', b: 'two words' })
  })

  test('a missing file is no error, anything else is', () => {
    expect(loadEnv()).toEqual({})
    mkdirSync(join(folder, 'dir'))
    expect(() => loadEnv({ path: 'dir' })).toThrow('EISDIR')
  })

  test.each([
    ['the process wins', {}, 'process'],
    ['the file wins with override', { override: true }, 'file'],
  ])('%s', (_, options, expected) => {
    vi.stubEnv('SLUICE_A', 'process')
    write({ '.env': 'SLUICE_A=file' })
    expect(loadEnv(options)).toEqual({ SLUICE_A: 'file' })
    expect(process.env.SLUICE_A).toBe(expected)
    vi.unstubAllEnvs()
  })

  test('an empty variable of the process is there, and wins', () => {
    vi.stubEnv('SLUICE_A', '')
    write({ '.env': 'SLUICE_A=file' })
    loadEnv()
    expect(process.env.SLUICE_A).toBe('')
    vi.unstubAllEnvs()
  })

  test('PATH stays what it was', () => {
    write({ '.env': 'PATH=/nowhere' })
    loadEnv()
    expect(process.env.PATH).toBe(before.PATH)
  })

  test.each([
    ['without a mode', {}, { SLUICE_A: 'base', SLUICE_B: 'local', SLUICE_C: 'base', SLUICE_D: 'base' }],
    ['with one', { mode: 'test' }, { SLUICE_A: 'base', SLUICE_B: 'local', SLUICE_C: 'mode', SLUICE_D: 'mode local' }],
    [
      'with one that has no files',
      { mode: 'other' },
      { SLUICE_A: 'base', SLUICE_B: 'local', SLUICE_C: 'base', SLUICE_D: 'base' },
    ],
  ])('N5: the cascade %s', (_, options, expected) => {
    write({
      '.env': 'SLUICE_A=base\nSLUICE_B=base\nSLUICE_C=base\nSLUICE_D=base',
      '.env.local': 'SLUICE_B=local\nSLUICE_C=base',
      '.env.test': 'SLUICE_C=mode\nSLUICE_D=mode',
      '.env.test.local': 'SLUICE_D=mode local',
    })
    expect(loadEnv(options)).toEqual(expected)
    expect({ ...process.env }).toMatchObject(expected)
  })

  test('the cascade stands beside the path that is given', () => {
    mkdirSync(join(folder, 'conf'))
    write({ 'conf/app.env': 'SLUICE_A=1', 'conf/app.env.prod': 'SLUICE_A=2' })
    expect(loadEnv({ path: join(folder, 'conf/app.env'), mode: 'prod' })).toEqual({ SLUICE_A: '2' })
  })

  test.each(['../x', 'a/b', '', 'local', 'a.b', 'a b'])('the mode %j is refused', (mode) => {
    expect(() => loadEnv({ mode })).toThrow(TypeError)
    expect(() => loadEnv({ mode })).toThrow(JSON.stringify(mode))
  })

  test('names that objects inherit become plain entries', () => {
    write({ '.env': '__proto__=1\nconstructor=2' })
    expect(Object.entries(loadEnv())).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ])
    expect(({} as Record<string, unknown>)['1']).toBeUndefined()
    Reflect.deleteProperty(process.env, 'constructor')
  })
})

describe('N2: expansion, when asked for', () => {
  const text = [
    'SLUICE_HOST=db',
    'SLUICE_URL="pg://${SLUICE_HOST}:${SLUICE_PORT:-5432}/x"',
    "SLUICE_RAW='${SLUICE_HOST}'",
    'SLUICE_ESC=\\${SLUICE_HOST}',
    'SLUICE_LATER=${SLUICE_LAST}',
    'SLUICE_LAST=${SLUICE_URL}!',
    'SLUICE_SELF=${SLUICE_SELF}',
    'SLUICE_PLAIN=$SLUICE_HOST',
    'SLUICE_OTHER=${SLUICE_NONE:-${SLUICE_HOST}}',
    'SLUICE_DEEP="<${SLUICE_NONE:-a${SLUICE_NONE2:-deep}b}>"',
    'SLUICE_OPEN=${SLUICE_NONE:-${SLUICE_HOST}',
  ].join('\n')

  test('references are replaced by what stands above them', () => {
    write({ '.env': text })
    expect(loadEnv({ expand: true })).toEqual({
      SLUICE_HOST: 'db',
      SLUICE_URL: 'pg://db:5432/x',
      SLUICE_RAW: '${SLUICE_HOST}',
      SLUICE_ESC: '${SLUICE_HOST}',
      SLUICE_LATER: '',
      SLUICE_LAST: 'pg://db:5432/x!',
      SLUICE_SELF: '',
      SLUICE_PLAIN: '$SLUICE_HOST',
      SLUICE_OTHER: 'db',
      SLUICE_DEEP: '<adeepb>',
      SLUICE_OPEN: '${SLUICE_NONE:-db',
    })
  })

  test.each([
    ['the process wins', {}, 'pg://prod:5432/x'],
    ['the file wins with override', { override: true }, 'pg://db:5432/x'],
  ])('in references too: %s', (_, options, expected) => {
    vi.stubEnv('SLUICE_HOST', 'prod')
    write({ '.env': text })
    expect(loadEnv({ ...options, expand: true }).SLUICE_URL).toBe(expected)
    vi.unstubAllEnvs()
  })

  test('500 kB of references that never close take linear time', () =>
    expectLinear(
      500_000,
      (size) => '${A:-'.repeat(size / 5),
      (value) => {
        write({ '.env': `SLUICE_A=${value}` })
        expect(loadEnv({ expand: true, override: true }).SLUICE_A).toHaveLength(value.length)
      },
    ))

  test('nothing is replaced unless asked for', () => {
    write({ '.env': text })
    expect(loadEnv().SLUICE_URL).toBe('pg://${SLUICE_HOST}:${SLUICE_PORT:-5432}/x')
  })
})
