import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'
import { ejsToEta } from './ejs.ts'
import { failure } from './errors.ts'
import { compareImports } from './import-order.ts'

/** The templates that come with the command, beside this module in the sources and in the package. */
export const bundledTemplates = (): string => fileURLToPath(new URL('./templates/', import.meta.url))

/** The file that a template name stands for: the project's own before the bundled one. */
export interface TemplateFile {
  readonly path: string
  readonly custom: boolean
}

/**
 * Find a template: `templates/<name>.ts.ejs`, `<name>.ts.eta` or `<name>.eta` of the project, else ours.
 *
 * @example
 * findTemplate('/app', 'controller.api') // { path: '/app/templates/controller.api.ts.ejs', custom: true }
 */
export const findTemplate = (root: string, name: string): TemplateFile => {
  const own = [`${name}.ts.ejs`, `${name}.ts.eta`, `${name}.eta`]
    .map((file) => join(root, 'templates', file))
    .find(existsSync)
  if (own !== undefined) return { path: own, custom: true }
  return { path: join(bundledTemplates(), `${name}.eta`), custom: false }
}

/** Fill the template of that name, the project's own or ours. */
export const renderTemplate = (root: string, name: string, variables: object): string =>
  renderFile(findTemplate(root, name).path, variables)

/**
 * Fill one template file. Variables are in scope by their names, and as properties of `it`; nothing is HTML-escaped,
 * because what is written is source code.
 *
 * @throws {CliError} with exit code 1 when the template is broken, naming its file and line.
 */
export const renderFile = (path: string, variables: object): string => {
  try {
    return engineFor(path).renderString(readTemplate(path), { ...variables, fit: fitting, gather, sorted })
  } catch (error) {
    const { message } = error instanceof Error ? error : new Error(String(error))
    throw failure(`The template ${path} cannot be filled:\n${message}`, error)
  }
}

/** Columns of a line, as in the `biome.json` of a project. */
const WIDTH = 120

/** The first of these forms of the same code whose lines all fit, else the last: names are long or short. */
export const fitting = (...forms: readonly string[]): string =>
  forms.find((form) => form.split('\n').every((line) => line.length <= WIDTH)) ?? forms.at(-1) ?? ''

/** Items between two texts, in one line if they fit, else one a line: imports, lists and objects of any length. */
const gather = (before: string, items: readonly string[], after: string): string => {
  const indent = /^ */.exec(before)?.[0] ?? ''
  const lines = items.map((item) => `${indent}  ${item},\n`).join('')
  return fitting(`${before}${items.join(', ')}${after}`, `${before.trimEnd()}\n${lines}${indent}${after.trimStart()}`)
}

/** Imported names in the order that the linter of a project wants. */
const sorted = (names: readonly string[]): readonly string[] => names.toSorted(compareImports)

/** The registration of a route as source text, in one line or in several. */
export const routeCall = (method: string, path: string, ...steps: readonly string[]): string => {
  const parts = [`'${path}'`, ...steps]
  const lines = parts.map((part) => `    ${part},\n`).join('')
  return fitting(`  app.${method}(${parts.join(', ')})`, `  app.${method}(\n${lines}  )`)
}

/** An engine whose `include('./part')` reads from the folder of the template, EJS parts included. */
const engineFor = (path: string): Eta => {
  const engine = new Eta({
    views: join(path, '..'),
    autoEscape: false,
    autoTrim: false,
    useWith: true,
    varName: 'it',
    defaultExtension: path.endsWith('.ejs') ? '.ejs' : '.eta',
  })
  engine.readFile = readTemplate
  return engine
}

/** EJS is translated when read, so both kinds may include each other; line ends are those of the house. */
const readTemplate = (path: string): string => {
  const text = readFileSync(path, 'utf8')
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
  return path.endsWith('.ejs') ? ejsToEta(text) : trimControlLines(text)
}

/** A line that holds nothing but one statement tag leaves no blank line behind. */
const trimControlLines = (text: string): string => text.replace(/^[ \t]*(<%(?![=~])[^%]*%>)[ \t]*\n/gm, '$1')
