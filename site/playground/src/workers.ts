/** The bundler and the checker of types, as functions. */
import type { Build, Done, Failure, Kind } from './bundler.ts'

const bundler = new Worker('bundler.js')
const waiting = new Map<number, (done: Done) => void>()
let jobs = 0

/** Subpaths of sluice, once the bundler knows them. */
export let names: readonly string[] = []

bundler.onmessage = ({ data }) => {
  if (data.kind === 'ready') names = data.names
  else waiting.get(data.id)?.(data)
}

/** Bundle a program. Never rejects: what is wrong is in `errors`. */
export const bundle = (source: string, kind: Kind, build: Build): Promise<Done> =>
  new Promise((resolve) => {
    jobs += 1
    const id = jobs
    waiting.set(id, (done) => {
      waiting.delete(id)
      resolve(done)
    })
    bundler.postMessage({ id, source, kind, build })
  })

let checker: Worker | undefined

/** Check the types of a program. The first call loads the compiler. */
export const checkTypes = (source: string): Promise<readonly Failure[]> =>
  new Promise((resolve) => {
    const worker = checker ?? new Worker('checker.js')
    checker = worker
    jobs += 1
    const id = jobs
    const hear = ({ data }: MessageEvent<{ id: number; errors: readonly Failure[] }>): void => {
      if (data.id !== id) return
      worker.removeEventListener('message', hear)
      resolve(data.errors)
    }
    worker.addEventListener('message', hear)
    worker.postMessage({ id, source })
  })
