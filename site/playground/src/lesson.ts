/** The step of the tutorial that stands beside the editor. */
import lessons from 'lessons'
import { $ } from './dom.ts'
import { type Preset, presets } from './presets.ts'

/** A step: its program and request, and its text. */
export interface Lesson extends Preset {
  readonly html: string
}

/** What the chooser offers: presets by their number, steps of the tutorial as `step-1`, `step-2`, … */
export const exampleOf = (value: string): Preset | undefined =>
  value.startsWith('step-') ? lessons[Number(value.slice('step-'.length)) - 1] : presets[Number(value)]

/** The fragment of an address that opens an example. */
export const hashOf = (value: string): string =>
  value.startsWith('step-') ? `#step=${value.slice('step-'.length)}` : `#preset=${value}`

/** The options of the chooser. */
export const optionsOf = (): HTMLElement[] => {
  const group = document.createElement('optgroup')
  group.label = 'Tutorial'
  group.append(...lessons.map(({ name }, at) => new Option(name, `step-${at + 1}`)))
  return [...presets.map(({ name }, at) => new Option(name, String(at))), group]
}

/** Show the text of a step, or hide the panel. `go` is called with the step of the button that was pressed. */
export const showLesson = (value: string, go: (value: string) => void): void => {
  const panel = $('lesson', HTMLElement)
  const step = value.startsWith('step-') ? Number(value.slice('step-'.length)) : 0
  const lesson = lessons[step - 1]
  panel.hidden = !lesson
  if (!lesson) return
  $('lesson-title', HTMLElement).textContent = lesson.name
  // The text is a page of this repository, rendered when the site was built
  $('lesson-text', HTMLElement).innerHTML = lesson.html
  panel.scrollTop = 0
  for (const [id, to] of [
    ['lesson-back', step - 1],
    ['lesson-next', step + 1],
  ] as const) {
    const button = $(id, HTMLButtonElement)
    button.disabled = !lessons[to - 1]
    button.onclick = () => go(`step-${to}`)
  }
}
