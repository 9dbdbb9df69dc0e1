import { autocompletion, type CompletionContext, closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { javascript } from '@codemirror/lang-javascript'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { lintGutter, setDiagnostics } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import type { Failure } from './bundler.ts'

/** Colours are variables of the page, so one style serves light and dark. */
const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.regexp, tags.special(tags.string)], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--code-number)' },
  { tag: tags.comment, color: 'var(--text-2)', fontStyle: 'italic' },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: 'var(--code-function)' },
  { tag: [tags.typeName, tags.className], color: 'var(--code-type)' },
])

const theme = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--surface)', color: 'var(--text-1)', fontSize: 'var(--code-size)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--text-2)', border: 'none' },
  '.cm-content': { caretColor: 'var(--brand)', padding: '12px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--brand)' },
  '&.cm-focused': { outline: 'none' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--brand-soft) !important' },
  '.cm-tooltip': { backgroundColor: 'var(--surface)', border: '1px solid var(--line)', color: 'var(--text-1)' },
})

/** Subpaths of the package complete within the quotes of an import. */
const subpaths = (names: () => readonly string[]) => (context: CompletionContext) => {
  const word = context.matchBefore(/from ['"][\w/-]*/)
  if (!word) return null
  return { from: word.from + 6, options: names().map((label) => ({ label, type: 'namespace' })), validFor: /^[\w/-]*$/ }
}

export const createEditor = (
  parent: HTMLElement,
  label: string,
  doc: string,
  names: () => readonly string[],
  changed: (doc: string) => void,
  run: () => void,
) => {
  // Within a shadow root CodeMirror uses constructed style sheets, so the page needs no 'unsafe-inline' for styles.
  const root = parent.attachShadow({ mode: 'open' })
  const host = document.createElement('div')
  host.id = 'host'
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(':host,#host{display:block;height:100%}')
  root.adoptedStyleSheets = [sheet]
  root.append(host)
  const sendNow = (): boolean => {
    run()
    return true
  }
  const view = new EditorView({
    root,
    parent: host,
    state: EditorState.create({
      doc,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        lintGutter(),
        javascript({ typescript: true }),
        autocompletion({ override: [subpaths(names)] }),
        syntaxHighlighting(colours),
        theme,
        keymap.of([
          { key: 'Mod-Enter', run: sendNow },
          indentWithTab,
          ...closeBracketsKeymap,
          ...defaultKeymap,
          ...historyKeymap,
        ]),
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
        EditorView.updateListener.of((update) => update.docChanged && changed(update.state.doc.toString())),
      ],
    }),
  })
  return {
    text: () => view.state.doc.toString(),
    replace: (text: string) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    mark: (errors: readonly Failure[]) =>
      view.dispatch(
        setDiagnostics(
          view.state,
          errors.map(({ line, column, length, text }) => {
            const at = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines))
            const from = Math.min(at.from + column, at.to)
            return { from, to: Math.min(from + Math.max(length, 1), at.to), severity: 'error' as const, message: text }
          }),
        ),
      ),
    focus: () => view.focus(),
  }
}
