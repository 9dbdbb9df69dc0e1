import { afterEach, describe, expect, test, vi } from 'vitest'
import { contextStorage, currentContext } from '../src/context-storage.ts'
import { text } from '../src/respond/text.ts'
import { asyncLocal } from '../src/runtime/edge/async-local.ts'
import { doors } from './harness.ts'

afterEach(() => void vi.unstubAllGlobals())

const later = () => new Promise((resolve) => setImmediate(resolve))

describe.each(doors)('MX10: contextStorage through %s', (_, door) => {
  const whoAmI = async () => {
    await later()
    return currentContext().params.name
  }
  const fetch = door({
    use: [contextStorage()],
    routes: [
      ['GET', '/sync/:name', (ctx) => text(`${currentContext() === ctx}`)],
      ['GET', '/:name', async () => text(`${await whoAmI()}`)],
    ],
  })

  test('MX10: requests that run at once have their own contexts, also after an await', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `n${index}`)
    const answers = await Promise.all(names.map(async (name) => (await fetch(`/${name}`)).text()))
    expect(answers).toEqual(names)
  })

  test('MX10: it is the context of the handler', async () => {
    expect(await (await fetch('/sync/x')).text()).toBe('true')
  })

  test('MX10: there is no context outside a request', async () => {
    await fetch('/a')
    const message = 'currentContext: called outside a request, or contextStorage() did not run before'
    expect(() => currentContext()).toThrow(new Error(message))
    const bare = door({
      routes: [['GET', '/', () => text(`${currentContext().path}`)]],
      onError: (e: any) => text(e.message),
    })
    expect(await (await bare('/')).text()).toBe(message)
  })
})

test.each<[string, object | undefined]>([
  ['with a process that lacks the module', { ...process, getBuiltinModule: () => undefined }],
  ['with a process that has no modules', { ...process, getBuiltinModule: undefined }],
  ['without a process', undefined],
])('MX10: a runtime without AsyncLocalStorage says so when it is made, %s', (_, platform) => {
  vi.stubGlobal('process', platform)
  expect(() => asyncLocal('contextStorage')).toThrow(
    new Error('contextStorage: this runtime has no AsyncLocalStorage; on Cloudflare set the flag nodejs_compat'),
  )
  expect(() => asyncLocal()).not.toThrow()
})
