import { addAttribute } from './internal/markup/attribute.ts'
import { addCode, CODE_ELEMENT, DROPS_LINE_BREAK } from './internal/markup/code.ts'
import { addText, appendText, type Markup, markupOf, type Part } from './internal/markup/markup.ts'

/** Elements without content (HTML, "Void elements"). */
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i

/** Matches a name that no tag and no attribute can have. */
const NO_NAME = /[\0-\x20"'<>/=]|^$/

/** The properties of an element or a component. */
export type Properties = Readonly<Record<string, unknown>>

/** A function that returns markup for properties; it may be asynchronous. */
export type Component<P = any> = (properties: P) => unknown // any: each component has its own properties

/**
 * Markup of an element or a component. The compiler writes the calls: set `"jsx": "react-jsx"` and
 * `"jsxImportSource": "sluice"`. Values are escaped as with `` html`…` `` of `sluice/html`. `<html>` gets a doctype.
 *
 * @throws {TypeError} for a forbidden name, and for an event handler, a `script` and a `style` without `raw`.
 * @example
 * jsx('p', { class: 'note', children: 'a < b' }) // <p class="note">a &lt; b</p>
 */
export const jsx = (type: string | Component, properties: Properties): Markup =>
  typeof type === 'function'
    ? markupOf(addText, type(properties))
    : markupOf((members, parts) => addElement(parts, type, members), properties)

export { jsx as jsxs }

/** Markup without an element around it: `<>…</>`. */
export const Fragment = ({ children }: { readonly children?: unknown }): unknown => children

const addElement = (parts: Part[], tag: string, { children, ...attributes }: Properties): void => {
  checkName(tag)
  appendText(parts, `${/^html$/i.test(tag) ? '<!doctype html>' : ''}<${tag}`)
  for (const [name, value] of Object.entries(attributes)) {
    checkName(name)
    addAttribute(parts, tag, name === 'className' ? 'class' : name === 'htmlFor' ? 'for' : name, value)
  }
  appendText(parts, '>')
  if (VOID.test(tag)) return
  if (CODE_ELEMENT.test(tag)) addCode(parts, tag, children)
  else {
    if (DROPS_LINE_BREAK.test(tag)) appendText(parts, '\n')
    addText(children, parts)
  }
  appendText(parts, `</${tag}>`)
}

const checkName = (name: string): void => {
  if (NO_NAME.test(name)) throw new TypeError(`jsx: bad name ${JSON.stringify(name)}`)
}

/** Attributes of any element, with their HTML names. */
export interface Attributes {
  readonly [name: string]: unknown
  readonly children?: unknown
  readonly class?: unknown
  /** Declarations: `{ fontSize: '2em' }`. Text, which may hold any declaration, only as `raw('font-size: 2em')`. */
  readonly style?: Readonly<Record<string, unknown>> | Markup | undefined
}

/** The types that the compiler looks up. */
export declare namespace JSX {
  type Element = Markup
  type ElementType = string | Component
  interface IntrinsicElements {
    readonly [tag: string]: Attributes
  }
  interface IntrinsicAttributes {
    readonly key?: unknown
  }
  interface ElementChildrenAttribute {
    readonly children: unknown
  }
}
