/**
 * A worker of its own that bundles. esbuild runs in this thread (`worker: false`), so no blob worker is needed for it,
 * and typing stays smooth.
 */
import * as esbuild from 'esbuild-wasm'
import { type Pack, type Packs, packages } from './packages.ts'

/** A program as a bundle. `modules` is sorted by bytes, the largest first. */
export interface Bundled {
  readonly code: string
  readonly minified: number
  readonly gzip: number
  readonly modules: readonly { readonly path: string; readonly bytes: number }[]
  readonly ms: number
}
/** What is wrong in a line. */
export interface Failure {
  readonly line: number
  readonly column: number
  readonly length: number
  readonly text: string
}
export interface Done {
  readonly bundled?: Bundled
  readonly errors: readonly Failure[]
}
/** Which build of sluice a bundle is made of. */
export type Build = 'production' | 'checks'
/** `size` is what a bundler ships, `run` keeps names, `split` is made of the modules of the source. */
export type Kind = 'size' | 'run' | 'split' | 'compare'
export interface Job {
  readonly id: number
  readonly source: string
  readonly kind: Kind
  readonly build: Build
}

const load = async <T>(name: string): Promise<T> => (await fetch(new URL(`${name}.json`, self.location.href))).json()

const started = Promise.all([
  esbuild.initialize({ wasmURL: new URL('esbuild.wasm', self.location.href).href, worker: false }),
  load<Pack>('production'),
  load<Packs>('peers'),
]).then(([, production, peers]) => {
  const names = Object.keys(production.exports).map((subpath) => (subpath ? `sluice/${subpath}` : 'sluice'))
  postMessage({ kind: 'ready', names })
  return { production, peers }
})

/** Loaded when asked for: most visitors need neither. */
const later = new Map<string, Promise<Pack>>()
const packOf = (name: 'checks' | 'source'): Promise<Pack> => {
  const pack = later.get(name) ?? load<Pack>(name)
  later.set(name, pack)
  return pack
}

const packsFor = async ({ kind, build }: Job): Promise<Packs> => {
  const { production, peers } = await started
  const sluice = kind === 'split' ? await packOf('source') : build === 'checks' ? await packOf('checks') : production
  return { sluice, ...peers }
}

/** A context for each kind and build: esbuild keeps the parsed modules of its last build. */
const contexts = new Map<string, Promise<{ rebuild(source: string): Promise<esbuild.BuildResult> }>>()

const contextOf = (job: Job) => {
  const key = `${job.kind} ${job.build}`
  const context = contexts.get(key) ?? makeContext(job)
  contexts.set(key, context)
  return context
}

const makeContext = async (job: Job) => {
  const packs = await packsFor(job)
  let contents = ''
  const user: esbuild.Plugin = {
    name: 'user',
    setup: (build) => build.onLoad({ filter: /.*/, namespace: 'user' }, () => ({ contents, loader: 'ts' })),
  }
  const context = await esbuild.context({
    entryPoints: ['app.ts'],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    minify: job.kind !== 'run',
    keepNames: job.kind === 'run',
    metafile: true,
    logLevel: 'silent',
    legalComments: 'none',
    outdir: '/',
    plugins: [user, packages(packs)],
  })
  // esbuild answers two builds that overlap with one result, which would be that of the older program
  let before: Promise<unknown> = Promise.resolve()
  return {
    rebuild(source: string) {
      const built = before.then(() => {
        contents = source
        return context.rebuild()
      })
      before = built.catch(() => undefined)
      return built
    },
  }
}

const gzip = async (text: string): Promise<number> => {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  return (await new Response(stream).arrayBuffer()).byteLength
}

const isFailure = (error: unknown): error is esbuild.BuildFailure =>
  error instanceof Error && 'errors' in error && Array.isArray(error.errors) && error.errors.length > 0

const bundle = async (job: Job): Promise<Done> => {
  const context = await contextOf(job)
  const from = performance.now()
  try {
    const { outputFiles, metafile } = await context.rebuild(job.source)
    const code = outputFiles![0]!.text
    const modules = Object.entries(Object.values(metafile!.outputs)[0]!.inputs)
      .map(([path, { bytesInOutput }]) => ({ path: path.replace(/^(?:package|user):/, ''), bytes: bytesInOutput }))
      .filter(({ bytes }) => bytes > 0)
      .sort((a, b) => b.bytes - a.bytes)
    const minified = new TextEncoder().encode(code).length
    return { bundled: { code, minified, gzip: await gzip(code), modules, ms: performance.now() - from }, errors: [] }
  } catch (error) {
    if (!isFailure(error)) return { errors: [{ line: 1, column: 0, length: 0, text: String(error) }] }
    return {
      errors: error.errors.map(({ text, location }) => ({
        line: location?.line ?? 1,
        column: location?.column ?? 0,
        length: location?.length ?? 0,
        text,
      })),
    }
  }
}

self.onmessage = async ({ data }: MessageEvent<Job>) => {
  postMessage({ kind: 'done', id: data.id, ...(await bundle(data)) })
}
