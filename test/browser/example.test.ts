import type { Locator } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { describeBrowser } from './browser.ts'
import { SCREENS, watchOn } from './screens.ts'

vi.stubEnv('DATABASE_URL', 'sqlite::memory:')
const { app } = await import('../../examples/node/app.ts')

describeBrowser('the page of examples/node in Chromium', ({ open, serve }) => {
  test('TC5: what one visitor adds, changes and removes, another one sees by the events of the client', async () => {
    const { local } = await serve(app)
    const tabs = [await open(), await open()]
    const watched = await Promise.all(tabs.map((tab) => watchOn(tab, local, SCREENS[0]!)))
    const [mine, other] = tabs.map((tab) => tab.locator('#list li')) as [Locator, Locator]
    for (const tab of tabs) await tab.goto(local)

    await tabs[0]!.locator('input[name=title]').fill('Buy milk')
    await tabs[0]!.locator('form button').click()
    await mine.getByText('Buy milk').waitFor()
    await other.getByText('Buy milk').waitFor()
    expect(await other.locator('input').isChecked()).toBe(false)

    await mine.locator('input').check()
    await tabs[1]!.locator('#list li.done').waitFor()
    // One that comes later reads the list
    await tabs[1]!.reload()
    await tabs[1]!.locator('#list li.done').waitFor()

    await other.locator('button').click()
    // Either page may be told first
    await Promise.all([mine, other].map((item) => item.waitFor({ state: 'detached' })))
    for (const { complaints, foreign } of watched)
      expect({ complaints, foreign }).toEqual({ complaints: [], foreign: [] })
  })
})
