import type { Page } from 'playwright-core'

/** A device with its width and height in CSS pixels, and the colours its user prefers. */
export type Screen = readonly [device: string, width: number, height: number, colorScheme: 'light' | 'dark']

/** Where every page of ours is looked at. */
export const SCREENS: readonly Screen[] = [
  ['phone', 390, 844, 'light'],
  ['phone', 390, 844, 'dark'],
  ['desktop', 1280, 900, 'light'],
  ['desktop', 1280, 900, 'dark'],
]

/** What a page did that it should not do. */
export interface Watched {
  /** Lines on the console, errors and dialogs. */
  readonly complaints: string[]
  /** URLs of other hosts that it asked for. */
  readonly foreign: string[]
}

/** Give a tab a screen, and note what pages of `local` do wrong in it from now on. */
export const watchOn = async (tab: Page, local: string, [, width, height, colorScheme]: Screen): Promise<Watched> => {
  const complaints: string[] = []
  const foreign: string[] = []
  tab.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  tab.on('pageerror', (error) => void complaints.push(String(error)))
  tab.on('dialog', (dialog) => {
    complaints.push(dialog.message())
    void dialog.dismiss()
  })
  tab.on('request', (request) => {
    const { protocol, host } = new URL(request.url())
    if (protocol !== 'data:' && host !== new URL(local).host) foreign.push(request.url())
  })
  await tab.setViewportSize({ width, height })
  await tab.emulateMedia({ colorScheme })
  return { complaints, foreign }
}

/** Whether a page is wider than its screen. */
export const overflows = (tab: Page, [, width]: Screen): Promise<boolean> =>
  tab.evaluate(`document.documentElement.scrollWidth > ${width}`)

/** Keep a picture of a page in the folder `SLUICE_SHOTS`, if there is one. */
export const shoot = async (tab: Page, name: string): Promise<void> => {
  const folder = process.env.SLUICE_SHOTS
  if (folder) await tab.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}
