/** The element of an id of `index.html`, of the class that is asked for. */
export const $ = <E extends HTMLElement>(id: string, kind: new () => E): E => {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new TypeError(`index.html has no ${kind.name} #${id}`)
  return found
}

export const element = (name: string, className: string, text = ''): HTMLElement => {
  const made = document.createElement(name)
  made.className = className
  made.textContent = text
  return made
}

export const inBytes = (bytes: number): string => `${bytes.toLocaleString('en')} B`
