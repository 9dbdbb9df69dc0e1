import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import './custom.css'

/** Tabs of one kind go together, and the choice is kept. */
const sync = (kind: string, title: string): void => {
  for (const group of document.querySelectorAll(`.vp-code-group[data-sync="${kind}"]`)) {
    const at = [...group.querySelectorAll('label')].findIndex((label) => label.dataset.title === title)
    if (at < 0) continue
    group.querySelectorAll('input')[at]!.checked = true
    for (const [i, block] of [...group.querySelectorAll('.blocks > div')].entries())
      block.classList.toggle('active', i === at)
  }
}

const restoreTabs = (): void => {
  for (const kind of ['manager', 'runtime']) {
    const title = localStorage.getItem(`tab-${kind}`)
    if (title) sync(kind, title)
  }
}

const onChange = ({ target }: Event): void => {
  if (!(target instanceof HTMLInputElement)) return
  const group = target.closest('.vp-code-group[data-sync]')
  const title = group?.querySelector<HTMLElement>(`label[for="${target.id}"]`)?.dataset.title
  const kind = group?.getAttribute('data-sync')
  if (!title || !kind) return
  localStorage.setItem(`tab-${kind}`, title)
  sync(kind, title)
}

/** The program as the playground runs it: it exports its application, and prints the values that its comments tell. */
const forPlayground = (program: string): string =>
  program
    .replace(/^(?:await )?app\.listen\([^\n]*\)$/m, 'export default app')
    .replace(/^(?! |\}|\))(.*?) \/\/ → (.*)$/gm, 'console.log(await ($1)) // → $2')
    .replace(
      /^(?! |\}|\))(.*?) \/\/ throws (.*)$/gm,
      'try { await ($1) } catch (error) { console.log(String(error)) } // throws $2',
    )

const onClick = ({ target }: Event): void => {
  const button = target instanceof Element ? target.closest<HTMLElement>('button.run') : null
  const code = button?.parentElement?.querySelector('pre code')?.textContent
  if (!button || !code) return
  const { given, path, step } = button.dataset
  if (step) {
    location.href = `/playground/#step=${step}`
    return
  }
  const program = forPlayground(given ? `${given}\n\n${code}` : code)
  location.href = `/playground/#${new URLSearchParams({ code: program, ...(path && { path }) })}`
}

export default {
  extends: DefaultTheme,
  enhanceApp({ router }) {
    if (import.meta.env.SSR) return
    document.addEventListener('change', onChange)
    document.addEventListener('click', onClick)
    const after = router.onAfterPageLoad
    router.onAfterPageLoad = async (to) => {
      await after?.(to)
      setTimeout(restoreTabs, 50)
    }
    addEventListener('load', () => setTimeout(restoreTabs, 50))
  },
} satisfies Theme
