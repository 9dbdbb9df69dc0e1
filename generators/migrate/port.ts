import type ts from 'typescript'

/** The compiler of the project, whose parser is used. */
export type TypeScript = typeof ts

/** A place that is left to the reader. */
export interface Note {
  readonly line: number
  readonly text: string
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** One file that is moved to sluice: edits of its text, so that all other text stays as it is. */
export class Port {
  readonly #edits: Edit[] = []
  readonly #notes: Note[] = []
  /** Names to import, by module of sluice. */
  readonly #imports = new Map<string, Set<string>>()

  readonly ts: TypeScript
  readonly file: ts.SourceFile

  constructor(ts: TypeScript, file: ts.SourceFile) {
    this.ts = ts
    this.file = file
  }

  /** Replace the text between two positions. */
  cut(start: number, end: number, text: string): void {
    this.#edits.push({ start, end, text })
  }

  replace(node: ts.Node, text: string): void {
    this.cut(node.getStart(this.file), node.end, text)
  }

  /** Say that something at this node is left to the reader. */
  note(node: ts.Node, text: string): void {
    const { line } = this.file.getLineAndCharacterOfPosition(node.getStart(this.file))
    this.#notes.push({ line: line + 1, text })
  }

  /** Import a name of sluice, such as `json` or `type Context`. */
  use(module: string, name: string): void {
    this.#imports.set(module, (this.#imports.get(module) ?? new Set()).add(name))
  }

  textOf(node: ts.Node): string {
    return node.getText(this.file)
  }

  get notes(): readonly Note[] {
    return this.#notes
  }

  /** The text with all edits, and the new imports at a position. */
  finish(position: number): string {
    const lines = [...this.#imports]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([module, names]) => `import { ${[...names].sort(byName).join(', ')} } from '${module}'\n`)
    const edits = [{ start: position, end: position, text: lines.join('') }, ...this.#edits]
    let out = ''
    let at = 0
    for (const { start, end, text } of edits.sort((a, b) => a.start - b.start)) {
      // Inside of what was replaced as a whole
      if (start < at) continue
      out += this.file.text.slice(at, start) + text
      at = end
    }
    return out + this.file.text.slice(at)
  }
}

const byName = (a: string, b: string): number => (bare(a) < bare(b) ? -1 : 1)

const bare = (name: string): string => name.replace('type ', '').toLowerCase()
