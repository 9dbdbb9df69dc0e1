/** What an application weighs: two bars, and a strip of the modules, the largest first. */
import type { Bundled } from './bundler.ts'
import { $, element, inBytes } from './dom.ts'

interface Module {
  readonly path: string
  readonly bytes: number
}

/** A smaller part is shown with all other small ones. */
const SMALL = 0.015

const groupOf = (path: string): string => {
  if (path === 'app.ts') return 'your code'
  const [first = '', second, ...rest] = path.split('/')
  if (first !== 'sluice' || second === undefined) return first
  if (rest.length === 0) return 'core'
  return second === 'internal' ? `internal/${rest[0]}` : second
}

const sum = (modules: readonly Module[]): number => modules.reduce((total, { bytes }) => total + bytes, 0)

/** Modules by the folder that they are in, the largest group first. */
const groupsOf = ({ modules, minified }: Bundled): [string, Module[]][] => {
  const groups = new Map<string, Module[]>()
  for (const module of modules) {
    const name = groupOf(module.path)
    groups.set(name, [...(groups.get(name) ?? []), module])
  }
  const sorted = [...groups].sort(([, a], [, b]) => sum(b) - sum(a))
  const small = sorted.filter(([, part]) => sum(part) < minified * SMALL)
  const large = sorted.filter((group) => !small.includes(group))
  return small.length > 0 ? [...large, ['the rest', small.flatMap(([, part]) => part)]] : large
}

const hue = (at: number): string => String((at * 47 + 175) % 360)

const coloured = (name: string, className: string, at: number): HTMLElement => {
  const made = element(name, className)
  made.style.setProperty('--hue', hue(at))
  return made
}

const show = (id: 'mine' | 'other', bundled: Bundled | undefined, most: number): void => {
  $(id, HTMLElement).textContent = bundled ? inBytes(bundled.gzip) : '–'
  $(`${id}-minified`, HTMLElement).textContent = bundled ? `${inBytes(bundled.minified)} minified` : ''
  $(`${id}-bar`, HTMLElement).style.setProperty('--share', String((bundled?.gzip ?? 0) / most))
}

/** Show the two sizes. */
export const showSizes = (mine: Bundled | undefined, other: Bundled | undefined): void => {
  const most = Math.max(mine?.gzip ?? 0, other?.gzip ?? 0, 1)
  show('mine', mine, most)
  show('other', other, most)
}

/** Show the modules. `split` has them one by one, and its bytes are scaled to those of the bundle that is shipped. */
export const showModules = (mine: Bundled, split: Bundled): void => {
  const ratio = mine.gzip / split.minified
  const shown = (bytes: number): string => inBytes(Math.round(bytes * ratio))
  const groups = groupsOf(split)
  $('strip', HTMLElement).replaceChildren(
    ...groups.map(([name, part], at) => {
      const piece = coloured('span', 'piece', at)
      piece.style.setProperty('--grow', String(sum(part)))
      piece.title = `${name}: about ${shown(sum(part))}`
      return piece
    }),
  )
  const list = $('modules', HTMLElement)
  const opened = new Set([...list.querySelectorAll('details[open]')].map((one) => one.getAttribute('data-name')))
  list.replaceChildren(
    ...groups.map(([name, part], at) => {
      const details = document.createElement('details')
      details.dataset.name = name
      details.open = opened.has(name)
      const summary = document.createElement('summary')
      summary.append(
        coloured('i', 'dot', at),
        element('span', 'name', name),
        element('span', 'count', part.length > 1 ? `${part.length} modules` : ''),
        element('span', 'size', shown(sum(part))),
      )
      const rows = part.map((module) => {
        const row = element('div', 'module')
        row.append(
          element('span', 'name', module.path.replace(/^sluice\//, '')),
          element('span', 'size', shown(module.bytes)),
        )
        return row
      })
      details.append(summary, ...rows)
      return details
    }),
  )
}
