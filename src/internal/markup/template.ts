import { type Attribute, addAttribute, addValue } from './attribute.ts'
import { addCode, addJson, CODE_ELEMENT, DROPS_LINE_BREAK, isJsonScript } from './code.ts'
import { addText, type Part } from './markup.ts'

/** A piece of a template: literal HTML, or a function that writes values in their context. */
export type Piece = string | ((values: readonly unknown[], parts: Part[]) => void)

/** Constructs that begin with `<`, as a browser reads them (HTML, "Tokenization"). The last two are incomplete. */
const MARKUP =
  /<(?:(\/?[a-z][^\t\n\f\r />]*)|!--(?:-?>|[\s\S]*?--!?>)|!(?!--)[^>]*>|\?[^>]*>|\/(?![a-z])[^>]*>|([!?/]|$))/gi
const TEXT_ELEMENT = /^(?:title|textarea)$/
const GAP = /[\t\n\f\r /]*/y
const NAME = /[^\t\n\f\r />][^\t\n\f\r />=]*/y
const EQUALS = /[\t\n\f\r ]*=[\t\n\f\r ]*/y
const UNQUOTED = /[^\t\n\f\r >]+/y

/**
 * Find the context of each value of a template, in one linear pass over its strings.
 *
 * @throws {TypeError} for a value where none is allowed, and for an incomplete template.
 */
export const readTemplate = (strings: readonly string[]): readonly Piece[] => new Reader(strings).read()

class Reader {
  readonly #strings: readonly string[]
  readonly #pieces: Piece[] = []
  #index = 0
  /** Position in the text. */
  #at = 0
  /** Start of the text that is not yet in a piece. */
  #from = 0
  /** Set by SVG and MathML: there, elements that are code elsewhere contain markup. */
  #foreign = false

  constructor(strings: readonly string[]) {
    this.#strings = strings
  }

  get #text(): string {
    return this.#strings[this.#index]!
  }

  read(): readonly Piece[] {
    while (true) {
      MARKUP.lastIndex = this.#at
      const [markup, tag, incomplete] = MARKUP.exec(this.#text) ?? []
      if (incomplete !== undefined) this.#refuse('a comment or the name of a tag')
      if (tag) {
        this.#at = MARKUP.lastIndex
        this.#readTag(tag.toLowerCase())
      } else if (markup) this.#at = MARKUP.lastIndex
      else if (this.#isLast) {
        this.#flush()
        return this.#pieces
      } else this.#hole(addText)
    }
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
    if (DROPS_LINE_BREAK.test(tag) && this.#atEnd && !this.#isLast) {
      this.#flush()
      this.#pieces.push('\n')
    }
    if (TEXT_ELEMENT.test(tag)) this.#readContent(tag, closed, '<', addText)
    else if (CODE_ELEMENT.test(tag)) {
      const json = isJsonScript(tag, type ?? '')
      // A browser may treat `</script>` after a comment as text, and text that is not code as markup
      const bad = json || this.#foreign ? '<' : '<!--'
      this.#readContent(tag, closed, bad, (value, parts) => (json ? addJson(parts, value) : addCode(parts, tag, value)))
    }
  }

  /** The value, or `undefined` if it contains values of the template. */
  #readValue(tag: string, name: string, start: number): string | undefined {
    if (this.#atEnd) return this.#readWhole(tag, name, start)
    const quote = this.#text[this.#at]!
    if (quote === '"' || quote === "'") {
      this.#at++
      return this.#readQuoted(tag, name, quote)
    }
    const value = this.#consume(UNQUOTED)
    if (this.#atEnd) this.#refuse(`${name}=${value}, which needs quotes`)
    return value
  }

  /** `name=${value}`: the value gets quotes, or the attribute is left out. */
  #readWhole(tag: string, name: string, start: number): undefined {
    if (this.#isLast) this.#refuse('an attribute')
    this.#flush(this.#text[start - 1] === ' ' ? start - 1 : start)
    const index = this.#index
    this.#next((values, parts) => addAttribute(parts, tag, name, values[index]))
    if (!/^(?:[\t\n\f\r >]|\/>)/.test(this.#text)) this.#refuse(`${name}, which needs quotes`)
  }

  #readQuoted(tag: string, name: string, quote: string): string | undefined {
    const first = this.#index
    const start = this.#at
    let end = this.#text.indexOf(quote, start)
    if (end < 0) {
      this.#flush(start)
      const statics = [this.#text.slice(start)]
      while (end < 0) {
        if (this.#isLast) this.#refuse(`the value of ${name}`)
        this.#index++
        end = this.#text.indexOf(quote)
        statics.push(end < 0 ? this.#text : this.#text.slice(0, end))
      }
      const attribute: Attribute = { tag, name, statics }
      const last = this.#index
      this.#pieces.push((values, parts) => addValue(parts, attribute, values.slice(first, last)))
      this.#from = end
    }
    this.#at = end + 1
    return first === this.#index ? this.#text.slice(start, end) : undefined
  }

  /** The content of an element in which only its own end tag is markup. */
  #readContent(tag: string, closed: boolean, bad: string, write: (value: unknown, parts: Part[]) => void): void {
    if (closed) this.#refuse(`<${tag}/>, which needs an end tag`)
    const end = new RegExp(`</${tag}(?=[\\t\\n\\f\\r />])`, 'gi')
    while (true) {
      end.lastIndex = this.#at
      const closing = end.exec(this.#text)
      if (this.#text.slice(this.#at, closing?.index).includes(bad)) this.#refuse(`${tag} with ${bad} in it`)
      if (closing) {
        this.#at = closing.index
        return
      }
      if (this.#isLast) this.#refuse(tag)
      this.#hole(write)
    }
  }

  get #atEnd(): boolean {
    return this.#at >= this.#text.length
  }

  get #isLast(): boolean {
    return this.#index === this.#strings.length - 1
  }

  /** Move behind the match of a sticky pattern. */
  #consume(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const [taken = ''] = pattern.exec(this.#text) ?? []
    this.#at += taken.length
    return taken
  }

  #flush(end: number = this.#text.length): void {
    if (end > this.#from) this.#pieces.push(this.#text.slice(this.#from, end))
    this.#from = end
  }

  #hole(write: (value: unknown, parts: Part[]) => void): void {
    const index = this.#index
    this.#flush()
    this.#next((values, parts) => write(values[index], parts))
  }

  #next(piece: Piece): void {
    this.#pieces.push(piece)
    this.#index++
    this.#at = 0
    this.#from = 0
  }

  #refuse(where: string): never {
    const subject = this.#isLast ? 'the end of the template' : 'a value'
    const excerpt = this.#text.slice(0, this.#atEnd ? undefined : this.#at + 20).slice(-40)
    throw new TypeError(`html: ${subject} is not allowed in ${where}: ${JSON.stringify(excerpt)}`)
  }
}
