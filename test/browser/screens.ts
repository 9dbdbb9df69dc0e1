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

/**
 * The texts whose contrast to what is behind them is below that of WCAG 2.1, 1.4.3: 4.5, or 3 for large text. Each
 * with its element and its contrast.
 */
export const faintTexts = async (tab: Page): Promise<string[]> => {
  // The page may have just been opened by a click: it must have its style, and the colours that its user prefers
  await tab.waitForLoadState('load')
  await tab.evaluate('new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))')
  return tab.evaluate(FAINT)
}

const FAINT = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const rgba = (color) => {
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = color
    canvas.fillRect(0, 0, 1, 1)
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data
    return [r, g, b, a / 255]
  }
  const over = ([r, g, b, a], under) => [r, g, b].map((part, index) => part * a + under[index] * (1 - a))
  const light = (rgb) => {
    const [r, g, b] = rgb.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const dark = matchMedia('(prefers-color-scheme: dark)').matches
  const behind = (element) => {
    if (element === null) return dark ? [18, 18, 18] : [255, 255, 255]
    return over(rgba(getComputedStyle(element).backgroundColor), behind(element.parentElement))
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const faint = new Set()
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement
    if (!walker.currentNode.data.trim() || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    if (/^(STYLE|SCRIPT|OPTION)$/.test(element.tagName)) continue
    const style = getComputedStyle(element)
    const ground = behind(element)
    const [one, two] = [light(over(rgba(style.color), ground)), light(ground)].sort((a, b) => b - a)
    const contrast = (one + 0.05) / (two + 0.05)
    const size = parseFloat(style.fontSize)
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700)
    if (contrast < (isLarge ? 3 : 4.5))
      faint.add(element.tagName + '.' + element.className + ': ' + walker.currentNode.data.trim().slice(0, 20) + ' ' + contrast.toFixed(2))
  }
  return [...faint]
})()`

/** Keep a picture of a page in the folder `SLUICE_SHOTS`, if there is one. */
export const shoot = async (tab: Page, name: string): Promise<void> => {
  const folder = process.env.SLUICE_SHOTS
  if (folder) await tab.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}
