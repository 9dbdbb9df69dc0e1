/** The page: editor, request, response, size. */
import { clear, cookies, forget, log, say, showMessage } from './answer.ts'
import type { Build, Bundled, Done, Failure } from './bundler.ts'
import { $ } from './dom.ts'
import { createEditor } from './editor.ts'
import { exampleOf, hashOf, optionsOf, showLesson } from './lesson.ts'
import { ask, load } from './program.ts'
import { fromHash, type Shared, toHash } from './share.ts'
import { showModules, showSizes } from './size.ts'
import { bundle, checkTypes, names } from './workers.ts'

const TYPING_MS = 250

const method = $('method', HTMLSelectElement)
const path = $('path', HTMLInputElement)
const headers = $('headers', HTMLTextAreaElement)
const body = $('body', HTMLTextAreaElement)
const chooser = $('preset', HTMLSelectElement)
const builds = $('build', HTMLSelectElement)
const types = $('types', HTMLInputElement)

const build = (): Build => (builds.value === 'checks' ? 'checks' : 'production')

/** The program that was measured, split by module or type-checked last: a test of this page waits for its own. */
const shown: { sized?: string; split?: string; checked?: string } = {}

const showErrors = (errors: readonly Failure[], kind: string): void => {
  editor.mark(errors)
  $('errors', HTMLElement).textContent = errors.map(({ line, text }) => `${kind}, line ${line}: ${text}`).join('\n')
  $('errors', HTMLElement).hidden = errors.length === 0
}

let latest: { readonly key: string; readonly done: Done } | undefined
let compared: { readonly source: string; readonly done: Done } | undefined

const keyOf = (): string => `${build()} ${editor.text()}`

/** Bundle what the editor has, unless that was done. */
const refresh = async (): Promise<void> => {
  const key = keyOf()
  if (latest?.key !== key) {
    const source = editor.text()
    const done = await bundle(source, 'size', build())
    if (key !== keyOf()) return
    latest = { key, done }
    showErrors(done.errors, 'Error')
    showSizes(done.bundled, otherOf(compared?.done))
    $('took', HTMLElement).textContent = done.bundled ? `bundled here in ${Math.round(done.bundled.ms)} ms` : ''
    shown.sized = source
    if (types.checked && done.errors.length === 0) void check()
  }
  if (isBusy) return
  isBusy = true
  void showDetails().finally(() => {
    isBusy = false
  })
}

/** A second column that imports nothing has no size to show. */
const otherOf = (done: Done | undefined): Bundled | undefined =>
  done?.bundled?.modules.some(({ path: module }) => module !== 'app.ts') ? done.bundled : undefined

const check = async (): Promise<void> => {
  const source = editor.text()
  const errors = await checkTypes(source)
  if (source === editor.text() && types.checked) showErrors(errors, 'Type')
  shown.checked = source
}

/** What need not be there before a request is sent: the comparison, and the split by module. */
let isBusy = false
const showDetails = async (): Promise<void> => {
  const key = keyOf()
  const compare = comparison.text()
  if (compared?.source !== compare) {
    compared = { source: compare, done: await bundle(compare, 'compare', 'production') }
    comparison.mark(compared.done.errors)
  }
  const mine = latest?.done.bundled
  if (mine && key === keyOf()) {
    showSizes(mine, otherOf(compared.done))
    const source = editor.text()
    const { bundled: split } = await bundle(source, 'split', 'production')
    if (split && key === keyOf()) showModules(mine, split)
    shown.split = source
  }
  if (key !== keyOf() || compare !== comparison.text()) soon()
}

let timer = 0
const soon = (): void => {
  clearTimeout(timer)
  timer = window.setTimeout(() => void refresh(), TYPING_MS)
}

const requestHeaders = (): [string, string][] => {
  const found = headers.value.split('\n').map((line) => /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line))
  const list = found.flatMap((one): [string, string][] => (one ? [[one[1]!, one[2]!]] : []))
  if (cookies.size > 0 && !list.some(([name]) => name.toLowerCase() === 'cookie'))
    list.push(['cookie', Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ')])
  return list
}

const send = async (): Promise<void> => {
  const key = keyOf()
  await refresh()
  if (latest?.key !== key) return
  clear()
  const { bundled } = latest.done.bundled ? await bundle(editor.text(), 'run', build()) : latest.done
  if (!bundled) return say('It does not build yet.', 'bad')
  if (key !== keyOf()) return
  try {
    if (!(await load(bundled.code, forget, log))) return say('Ran; it exports no application')
  } catch (error) {
    return say(error instanceof Error ? error.message : String(error), 'bad')
  }
  const url = `http://localhost:3000${path.value.startsWith('/') ? '' : '/'}${path.value}`
  ask({ method: method.value, url, headers: requestHeaders(), body: body.value }, showMessage, (seconds) => {
    log('warn', `Stopped: nothing came for ${seconds} s.`)
    if ($('status', HTMLElement).textContent === '…') say('Stopped: no response', 'bad')
  })
}

const fill = (from: Shared): void => {
  method.value = from.method ?? 'GET'
  path.value = from.path ?? '/'
  headers.value = from.headers ?? ''
  body.value = from.body ?? ''
}

const first = await fromHash(location.hash)
const name = first.example !== undefined && exampleOf(first.example) ? first.example : '0'
const preset = exampleOf(name)!
const editor = createEditor(
  $('editor', HTMLElement),
  'The application',
  first.code ?? preset.code,
  () => names,
  soon,
  () => void send(),
)
const comparison = createEditor(
  $('compare', HTMLElement),
  'The application to compare with',
  first.compare ?? (first.code === undefined ? preset.compare : ''),
  () => [],
  soon,
  () => void send(),
)
fill(first.code === undefined ? preset.request : first)
chooser.append(...optionsOf())

/** Select an example, and show its text if it is a step of the tutorial. */
const choose = (value: string): void => {
  chooser.value = value
  showLesson(value, open)
}

/** Open a preset or a step of the tutorial. */
const open = (value: string): void => {
  const chosen = exampleOf(value)
  if (!chosen) return
  choose(value)
  editor.replace(chosen.code)
  comparison.replace(chosen.compare)
  fill(chosen.request)
  history.replaceState(null, '', hashOf(value))
  void send()
}
if (first.code === undefined) choose(name)
else chooser.prepend(new Option('From a link', '-1', true, true))
chooser.onchange = () => open(chooser.value)
builds.onchange = () => void send()
types.onchange = () => void (types.checked ? check() : showErrors(latest?.done.errors ?? [], 'Error'))
$('request', HTMLFormElement).onsubmit = (event) => {
  event.preventDefault()
  void send()
}
const share = $('share', HTMLButtonElement)
share.onclick = async () => {
  const request = { method: method.value, path: path.value, headers: headers.value, body: body.value }
  history.replaceState(null, '', await toHash({ code: editor.text(), compare: comparison.text(), ...request }))
  const isCopied = await navigator.clipboard.writeText(location.href).then(
    () => true,
    () => false,
  )
  share.textContent = isCopied ? 'Link copied' : 'Link is in the address bar'
  setTimeout(() => {
    share.textContent = 'Share'
  }, 2000)
}
const tabs = [...document.querySelectorAll<HTMLButtonElement>('[role=tab]')]
const select = (chosen: HTMLButtonElement): void => {
  for (const tab of tabs) {
    tab.setAttribute('aria-selected', String(tab === chosen))
    tab.tabIndex = tab === chosen ? 0 : -1
    $(tab.getAttribute('aria-controls')!, HTMLElement).hidden = tab !== chosen
  }
}
for (const [at, tab] of tabs.entries()) {
  tab.onclick = () => select(tab)
  tab.onkeydown = ({ key }) => {
    if (!/^Arrow(?:Left|Right)$/.test(key)) return
    const other = tabs[(at + 1) % tabs.length]!
    select(other)
    other.focus()
  }
}
$('theme', HTMLButtonElement).onclick = () => {
  const isDark = document.documentElement.classList.toggle('dark')
  localStorage.setItem('vitepress-theme-appearance', isDark ? 'dark' : 'light')
}
addEventListener('hashchange', () => location.reload())
void send()
/** For the tests of this page. */
Object.assign(window, { playground: { replace: editor.replace, shown } })
