import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'
import { ejsToEta } from './ejs.ts'
import { failure } from './errors.ts'

/** The folder of the bundled templates, next to this module in the sources and in the package. */
export const bundledTemplates = (): string => fileURLToPath(new URL('./templates/', import.meta.url))

/** The file of a template: that of the project if it has one, else the bundled one. */
export interface TemplateFile {
  readonly path: string
  readonly custom: boolean
}

/**
 * Find a template: `templates/<name>.ts.ejs`, `<name>.ts.eta` or `<name>.eta` of the project, else the bundled one.
 *
 * @example
 * findTemplate('/app', 'controller.api') // { path: '/app/templates/controller.api.ts.ejs', custom: true }
 */
export const findTemplate = (root: string, name: string): TemplateFile => {
  const customPath = [`${name}.ts.ejs`, `${name}.ts.eta`, `${name}.eta`]
    .map((file) => join(root, 'templates', file))
    .find(existsSync)
  if (customPath !== undefined) return { path: customPath, custom: true }
  return { path: join(bundledTemplates(), `${name}.ts.ejs`), custom: false }
}

/** Render the template of that name: that of the project, or the bundled one. */
export const renderTemplate = (root: string, name: string, variables: object): string =>
  renderFile(findTemplate(root, name).path, variables)

/**
 * Render a template file. Variables are in scope by their names, and as properties of `it`. Nothing is HTML-escaped,
 * because the output is source code.
 *
 * @throws {CliError} with exit code 1 if the template fails, with its file and line.
 */
export const renderFile = (path: string, variables: object): string => {
  try {
    return engineFor(path).renderString(readTemplate(path), variables)
  } catch (error) {
    const { message } = error instanceof Error ? error : new Error(String(error))
    throw failure(`The template ${path} cannot be rendered:\n${message}`, error)
  }
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

/** EJS is translated when it is read, so EJS and eta templates may include each other. Line ends become `\n`. */
const readTemplate = (path: string): string => {
  const text = readFileSync(path, 'utf8')
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
  return path.endsWith('.ejs') ? ejsToEta(text) : trimControlLines(text)
}

/** A line with nothing but one statement tag leaves no blank line. */
const trimControlLines = (text: string): string => text.replace(/^[ \t]*(<%(?![=~])[^%]*%>)[ \t]*\n/gm, '$1')
