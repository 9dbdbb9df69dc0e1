import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'

const root = new URL('..', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')

/** A page of the contract, as text. */
export const page = (name: string): string => read(`docs/contract/${name}`)

/** The ids of a page: the first column of its tables, and the lists `E1 … · E2 …`. */
export const rowsOf = (name: string): string[] =>
  [...page(name).matchAll(/(?:^\| \**|^|· )([A-Z]{1,2}\d+)\b/gm)].map(([, id]) => id!)

/** A title, or a text from which a table makes one, and where it stands. */
export interface Title {
  readonly file: string
  readonly text: string
}

/** `test('…')`, `describe.each(…)('…')`, and helpers such as `describeService('redis', '…')`. */
const TITLED = /^(?:test|it|describe\w*)\b/

const textOf = (node: ts.Node): string | undefined =>
  ts.isStringLiteralLike(node) ? node.text : ts.isTemplateExpression(node) ? node.head.text : undefined

const titlesOf = (file: string): Title[] => {
  const titles: Title[] = []
  const source = ts.createSourceFile(file, read(`test/${file}`), ts.ScriptTarget.Latest)
  const collect = (node: ts.Node): void => {
    const text = textOf(node)
    if (text !== undefined) titles.push({ file, text })
    else if (!ts.isFunctionLike(node)) ts.forEachChild(node, collect)
  }
  // Suites of all runtimes are lists of `[title, …]`
  const isTable = file.endsWith('.mjs')
  const visit = (node: ts.Node): void => {
    if (isTable && ts.isArrayLiteralExpression(node) && node.elements[0]) {
      const text = textOf(node.elements[0])
      if (text !== undefined) titles.push({ file, text })
    }
    if (ts.isCallExpression(node) && TITLED.test(node.expression.getText(source))) {
      node.arguments.forEach(collect)
      collect(node.expression)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return titles
}

/** The files below a folder of `test/`, without packages and the hidden folders that other tests make and remove. */
const filesOf = (folder: string): string[] =>
  readdirSync(new URL(`test/${folder}`, root), { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && !name.startsWith('.'))
    .flatMap((entry) => (entry.isDirectory() ? filesOf(`${folder}${entry.name}/`) : [folder + entry.name]))

/** Every title of every test below `test/`, and the texts of the tables that make titles. */
export const allTitles = (): Title[] =>
  filesOf('')
    .filter((file) => /\.(?:test|test-d|e2e)\.ts$|^runtime\/[\w-]+\.mjs$/.test(file))
    .flatMap(titlesOf)

/** The ids that a title starts with: `R24: …`, `X11, X12: …`, `V1 to V21: …`, `MC1 hazard …`. */
const LEADING = /^[A-Z]{1,2}\d+(?:(?:,? | and | to )[A-Z]{1,2}\d+)*(?=[:,; ])/

/** The ids that a title names; of a range, all of them. */
export const idsOf = ({ text }: Title): string[] => {
  const leading = LEADING.exec(text)?.[0] ?? ''
  return [...leading.matchAll(/([A-Z]+)(\d+)(?: to [A-Z]+(\d+))?/g)].flatMap(([, kind, first, last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => `${kind}${Number(first) + at}`),
  )
}
