import { rollup } from 'rollup'
import { afterEach, describe, expect, expectTypeOf, test, vi } from 'vitest'
import { bindEnv, env, envBool, envInt, envList } from '../../src/env.ts'
import { listEnv, readEnv } from '../../src/runtime/edge/core.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  bindEnv({})
})

describe('N3: env(name, default?)', () => {
  test('reads the process as it is at that moment, without loadEnv', () => {
    expect(env('SLUICE_X')).toBeUndefined()
    vi.stubEnv('SLUICE_X', 'one')
    expect(env('SLUICE_X', 'default')).toBe('one')
    vi.stubEnv('SLUICE_X', 'two')
    expect(env('SLUICE_X')).toBe('two')
  })

  test('an empty variable is present', () => {
    vi.stubEnv('SLUICE_X', '')
    expect(env('SLUICE_X', 'default')).toBe('')
  })

  test.each(['SLUICE_ABSENT', '__proto__', 'constructor', 'toString', 'hasOwnProperty', ''])('%j is absent', (name) => {
    expect(env(name)).toBeUndefined()
    expect(env(name, 'default')).toBe('default')
  })

  test('a bound string wins over the process, other bound values do not, and the newest binding wins', () => {
    vi.stubEnv('SLUICE_X', 'process')
    bindEnv({ SLUICE_X: 'bound', SLUICE_KV: { get() {} }, SLUICE_Y: '' })
    expect({ x: env('SLUICE_X'), kv: env('SLUICE_KV', 'default'), y: env('SLUICE_Y', 'default') }).toEqual({
      x: 'bound',
      kv: 'default',
      y: '',
    })
    bindEnv({})
    expect({ x: env('SLUICE_X'), y: env('SLUICE_Y', 'default') }).toEqual({ x: 'process', y: 'default' })
  })

  test('the type is a string when a default is given', () => {
    expectTypeOf(env('A', 'b')).toEqualTypeOf<string>()
    expectTypeOf(env('A')).toEqualTypeOf<string | undefined>()
    expect(env('SLUICE_ABSENT', 'b')).toBe('b')
  })

  test('on the edge there is what the platform shows, or nothing', () => {
    vi.stubEnv('SLUICE_X', 'shown')
    expect({ read: readEnv('SLUICE_X'), listed: listEnv().SLUICE_X }).toEqual({ read: 'shown', listed: 'shown' })
    vi.stubGlobal('process', undefined)
    expect({ read: readEnv('SLUICE_X'), listed: listEnv() }).toEqual({ read: undefined, listed: {} })
    vi.unstubAllGlobals()
  })

  test('N1: on the edge loadEnv says that there is no file system, and a bundle has none of what reads files', async () => {
    const script = new URL('../../rollup.production.mjs', import.meta.url).href
    const { plugins, treeshake } = (await import(script)).productionBuild({}, '', [])
    const bundle = await rollup({ input: 'src/env/load-env.ts', plugins, treeshake, onwarn: () => {} })
    const { output } = await bundle.generate({ format: 'esm' })
    expect(output[0].code.length).toBeLessThan(200)
    const { loadEnv } = await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`)
    expect(() => loadEnv()).toThrow('loadEnv() needs a file system, and this runtime has none: use ctx.env, or bindEnv')
  })
})

describe('N5: typed reads', () => {
  test.each([
    ['true', true],
    ['1', true],
    ['YES', true],
    ['on', true],
    ['y', true],
    ['enabled', true],
    [' true ', true],
    ['false', false],
    ['0', false],
    ['No', false],
    ['off', false],
    ['n', false],
    ['disabled', false],
    ['', undefined],
    [undefined, undefined],
  ])('envBool of %j', (value, expected) => {
    vi.stubEnv('SLUICE_X', value)
    expect(envBool('SLUICE_X')).toBe(expected)
    expect(envBool('SLUICE_X', true)).toBe(expected ?? true)
  })

  test.each([
    ['0', 0],
    ['3000', 3000],
    ['-5', -5],
    ['+5', 5],
    [' 7 ', 7],
    ['007', 7],
    ['9007199254740991', 9007199254740991],
    ['', undefined],
    [undefined, undefined],
  ])('envInt of %j', (value, expected) => {
    vi.stubEnv('SLUICE_X', value)
    expect(envInt('SLUICE_X')).toBe(expected)
    expect(envInt('SLUICE_X', 1)).toBe(expected ?? 1)
  })

  test.each([
    ['envInt', '1.5', envInt],
    ['envInt', '0x10', envInt],
    ['envInt', '1e3', envInt],
    ['envInt', 'secret', envInt],
    ['envInt', '9007199254740992', envInt],
    ['envBool', 'maybe', envBool],
    ['envBool', '2', envBool],
  ])('%s refuses %j with the name and without the value', (_, value, read) => {
    vi.stubEnv('SLUICE_X', value)
    expect(() => read('SLUICE_X')).toThrow(/^environment variable SLUICE_X must be a (boolean|whole number)$/)
  })

  test.each([
    ['a,b', ['a', 'b']],
    [' a , ,b,', ['a', 'b']],
    ['', []],
    [undefined, undefined],
  ])('envList of %j', (value, expected) => {
    vi.stubEnv('SLUICE_X', value)
    expect(envList('SLUICE_X')).toEqual(expected)
    expect(envList('SLUICE_X', ['z'])).toEqual(expected ?? ['z'])
  })
})
