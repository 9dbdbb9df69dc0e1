import { addAttribute, addValue } from './attribute.ts'
import { addCode, addJson, CODE_ELEMENT, DROPS_LINE_BREAK, JSON_TYPE } from './code.ts'
import { addText, type Part, type Write } from './markup.ts'

/** A piece of a template: literal HTML, or a function that writes values in their context. */
export type Piece = string | ((values: readonly unknown[], parts: Part[]) => void)

/** Stands for a value in the joined text of a template. It is removed from the text, where a browser drops it too. */
const HOLE = '\0'

/** A value, or what begins with `<`, as a browser reads it (HTML, "Tokenization"). The last part is incomplete. */
const MARKUP =
  /\0|<(?:(\/?[a-z][^\t\n\f\r />\0]*)|!--(?:-?>|[^\0]*?--!?>)|!(?!--)[^>\0]*>|\?[^>\0]*>|\/(?![a-z])[^>\0]*>|([!?/]|(?=\0|$)))/gi
const TEXT_ELEMENT = /^(?:title|textarea)$/
const GAP = /[\t\n\f\r /]*/y
const NAME = /[^\t\n\f\r />\0][^\t\n\f\r />=\0]*/y
const EQUALS = /[\t\n\f\r ]*=[\t\n\f\r ]*/y
const UNQUOTED = /[^\t\n\f\r >\0]+/y

/**
 * Find the context of each value of a template, in one linear pass over its text.
 *
 * @throws {TypeError} for a value where none is allowed, and for an incomplete template.
 */
export const readTemplate = (strings: readonly string[]): readonly Piece[] =>
  new Reader(strings.map((text) => text.replaceAll(HOLE, '')).join(HOLE)).read()

class Reader {
  readonly #text: string
  readonly #pieces: Piece[] = []
  /** Number of values before the position. */
  #index = 0
  #at = 0
  /** Start of the text that is not yet in a piece. */
  #from = 0
  /** Set by SVG and MathML: there, elements that are code elsewhere contain markup. */
  #foreign = false

  constructor(text: string) {
    this.#text = text
  }

  read(): readonly Piece[] {
    while (true) {
      MARKUP.lastIndex = this.#at
      const match = MARKUP.exec(this.#text)
      if (!match) break
      const [markup, tag, incomplete] = match
      this.#at = markup === HOLE ? match.index : MARKUP.lastIndex
      if (incomplete !== undefined) this.#refuse('a comment or the name of a tag')
      if (markup === HOLE) this.#hole(addText)
      else if (tag) this.#readTag(tag.toLowerCase())
    }
    this.#flush(this.#text.length)
    return this.#pieces
  }

  #readTag(tag: string): void {
    let type: string | undefined
    while (true) {
      this.#consume(GAP)
      if (this.#atEnd) this.#refuse('the name of an attribute')
      if (this.#text[this.#at] === '>') break
      const start = this.#at
      const name = this.#consume(NAME)
      const value = this.#consume(EQUALS) ? this.#readValue(tag, name, start) : ''
      if (/^type$/i.test(name)) type ??= value ?? ''
    }
    const closed = this.#text[this.#at - 1] === '/'
    this.#at++
    if (/^(?:svg|math)$/.test(tag)) this.#foreign = true
    if (DROPS_LINE_BREAK.test(tag) && this.#text[this.#at] === HOLE) {
      this.#flush(this.#at)
      this.#pieces.push('\n')
    }
    if (TEXT_ELEMENT.test(tag)) this.#readContent(tag, closed, '<', addText)
    else if (CODE_ELEMENT.test(tag)) {
      const json = tag === 'script' && JSON_TYPE.test(type ?? '')
      // A browser may treat `</script>` after a comment as text, and text that is not code as markup
      const bad = json || this.#foreign ? '<' : '<!--'
      this.#readContent(tag, closed, bad, (value, parts) => (json ? addJson(parts, value) : addCode(parts, tag, value)))
    }
  }

  /** The value, or `undefined` if it contains values of the template. */
  #readValue(tag: string, name: string, start: number): string | undefined {
    if (this.#atEnd) return this.#readWhole(tag, name, start)
    const quote = this.#text[this.#at]!
    if (quote === '"' || quote === "'") return this.#readQuoted(tag, name, quote)
    const value = this.#consume(UNQUOTED)
    if (this.#atEnd) this.#refuse(`${name}=${value}, which needs quotes`)
    return value
  }

  /** `name=${value}`: the value gets quotes, or the attribute is left out. */
  #readWhole(tag: string, name: string, start: number): undefined {
    if (this.#at === this.#text.length) this.#refuse('an attribute')
    const from = this.#text[start - 1] === ' ' ? start - 1 : start
    this.#hole((value, parts) => addAttribute(parts, tag, name, value), from)
    if (!/^(?:[\t\n\f\r >]|\/>)/.test(this.#text.slice(this.#at, this.#at + 2)))
      this.#refuse(`${name}, which needs quotes`)
  }

  #readQuoted(tag: string, name: string, quote: string): string | undefined {
    const start = this.#at + 1
    const end = this.#text.indexOf(quote, start)
    this.#at = end < 0 ? this.#text.length : end + 1
    if (end < 0) this.#refuse(`the value of ${name}`)
    const statics = this.#text.slice(start, end).split(HOLE)
    if (statics.length === 1) return statics[0]
    this.#flush(start)
    const first = this.#index
    this.#index += statics.length - 1
    const last = this.#index
    this.#pieces.push((values, parts) => addValue(parts, { tag, name, statics }, values.slice(first, last)))
    this.#from = end
    return undefined
  }

  /** The content of an element in which only its own end tag is markup. */
  #readContent(tag: string, closed: boolean, bad: string, write: Write): void {
    if (closed) this.#refuse(`<${tag}/>, which needs an end tag`)
    const end = new RegExp(`${HOLE}|</${tag}(?=[\\t\\n\\f\\r />])`, 'gi')
    while (true) {
      end.lastIndex = this.#at
      const match = end.exec(this.#text)
      if (this.#text.slice(this.#at, match?.index).includes(bad)) this.#refuse(`${tag} with ${bad} in it`)
      this.#at = match?.index ?? this.#text.length
      if (this.#at === this.#text.length) this.#refuse(tag)
      if (!this.#atEnd) return
      this.#hole(write)
    }
  }

  /** Whether a value, or the end of the template, follows. */
  get #atEnd(): boolean {
    return (this.#text[this.#at] ?? HOLE) === HOLE
  }

  /** Move behind the match of a sticky pattern. */
  #consume(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const [taken = ''] = pattern.exec(this.#text) ?? []
    this.#at += taken.length
    return taken
  }

  #flush(end: number): void {
    if (end > this.#from) this.#pieces.push(this.#text.slice(this.#from, end))
    this.#from = end
  }

  /** Move behind a value. @param start where the text that it replaces begins */
  #hole(write: Write, start: number = this.#at): void {
    const index = this.#index++
    this.#flush(start)
    this.#pieces.push((values, parts) => write(values[index], parts))
    this.#at++
    this.#from = this.#at
  }

  #refuse(where: string): never {
    const subject = this.#text.includes(HOLE, this.#at) ? 'a value' : 'the end of the template'
    const before = this.#text.slice(0, this.#at).split(HOLE).at(-1)!.slice(-40)
    throw new TypeError(`html: ${subject} is not allowed in ${where}: ${JSON.stringify(before)}`)
  }
}
