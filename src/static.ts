import { DEV } from '#mode'
import { addFields, createResponse, withoutBody } from '#runtime/core'
import { assetsOf, openRoot } from '#runtime/files'
import { isFieldValue } from './internal/header/field-name.ts'
import { checkNames, checkOption, checkWhole } from './internal/options/check.ts'
import { serveAsset } from './internal/static/assets.ts'
import { type Representation, respondWithFile } from './internal/static/file-response.ts'
import { CODINGS, findCompressed, lookUp } from './internal/static/find.ts'
import { mediaTypes } from './internal/static/media-types.ts'
import { namesOf, type PathNames } from './internal/static/segments.ts'
import type { Context, Middleware } from './internal/types/context.ts'
import { refuse } from './pipe/refuse.ts'

/** Options of {@link serveStatic}. */
export interface StaticOptions {
  /** Folder of the files, relative to the working directory. Workers use a binding instead. */
  readonly root: string
  /** Prefix to remove from the path, without a trailing slash: `/assets`. @default the application's basePath */
  readonly prefix?: string
  /** File to serve for a directory; `false` for none. @default 'index.html' */
  readonly index?: string | false
  /** Extensions that a path may leave out, without a dot: `['html']` finds `about.html` for `/about`. @default [] */
  readonly extensions?: readonly string[]
  /**
   * Names that begin with a dot: `ignore` treats them as missing, `deny` responds with 403, `allow` serves them. The
   * folder `.well-known` (RFC 8615) at the root is always served. @default 'ignore'
   */
  readonly dotfiles?: 'ignore' | 'deny' | 'allow'
  /** How long a cache may keep a file without revalidation, in whole seconds. @default 0 */
  readonly maxAge?: number
  /** Send `immutable`: files never change under their names, as with hashes in names. Needs `maxAge`. @default false */
  readonly immutable?: boolean
  /** Send a strong `ETag` made from size and modification time. @default true */
  readonly etag?: boolean
  /** Send `app.js.br`, `.zst` or `.gz` for `app.js` to clients that accept it: all, or a list. @default false */
  readonly precompressed?: boolean | readonly ('br' | 'zstd' | 'gzip')[]
  /** File for navigations that match nothing, for single-page applications: `index.html`. @default none */
  readonly fallback?: string
  /** Additional media types by extension, without a dot; the `mimes` object of `mrmime` works. @default {} */
  readonly types?: Readonly<Record<string, string>>
  /** Name of the assets binding in `ctx.env`, on runtimes without a file system. @default 'ASSETS' */
  readonly binding?: string
}

/** For a file that changes while it is being read. */
const MAX_ATTEMPTS = 3

/**
 * Serve the files of a folder: GET and HEAD, with ranges (RFC 9110 §14), preconditions (§13) and compressed copies.
 * Other methods and missing files go to the rest of the chain.
 *
 * No path can leave the root. The path of a directory without a trailing slash gives 308 to the same host.
 *
 * @throws {TypeError} when created, for a bad option.
 * @example
 * createApp().use(serveStatic({ root: 'public', maxAge: 3600, precompressed: true }))
 */
export const serveStatic = (options: StaticOptions): Middleware => {
  const { root, prefix, index = 'index.html', extensions = [], dotfiles = 'ignore', fallback } = checkOptions(options)
  const { maxAge = 0, immutable, etag = true, precompressed = false, binding = 'ASSETS' } = options
  const find = openRoot(root)
  const typeOf = mediaTypes(options.types)
  const codings = precompressed === true ? Object.keys(CODINGS) : precompressed || []
  const cacheControl = `public, max-age=${maxAge}${immutable ? ', immutable' : ''}`
  // The platform has its own rules
  const ofAssets = options.maxAge === undefined ? undefined : cacheControl
  const fallbackNames = fallback === undefined ? undefined : namesOf(`/${fallback}`)

  let isRootKnown = false
  const checkRoot = async (): Promise<void> => {
    if (isRootKnown) return
    isRootKnown = true
    if (!(await find([]))?.directory) console.warn(`serveStatic: root: there is no folder ${JSON.stringify(root)}`)
  }

  const respond = async (ctx: Context, path: PathNames, more: Partial<Representation> = {}) => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const found = await lookUp({ find, index, extensions }, path)
      if (DEV && !found) await checkRoot()
      if (!found) return undefined
      if (found === 'directory') return redirectToDirectory(ctx)
      const accepted = ctx.header('accept-encoding')
      const copy = codings.length ? await findCompressed(find, found.names, accepted, codings) : undefined
      const representation = {
        file: found.file,
        coding: undefined,
        ...copy,
        type: typeOf(found.names.at(-1)!),
        tagged: etag,
        cacheControl,
        vary: codings.length ? 'Accept-Encoding' : undefined,
        ...more,
      }
      const response = await respondWithFile(ctx, representation, (status, error, headers) =>
        refuse(ctx, status, error, {}, headers),
      )
      if (response) return response
    }
    throw new Error('serveStatic: a file changes faster than it can be read')
  }

  return async function serveStatic(ctx, next) {
    const mount = prefix ?? ctx.basePath
    const path = pathBelow(ctx.path, mount)
    if (path === undefined || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next()
    const names = namesOf(path)
    const hidden = names && dotfiles !== 'allow' && names.names.some(isHidden)
    if (hidden && dotfiles === 'deny') return refuse(ctx, 403, 'Forbidden')
    const assets = assetsOf(ctx.env, binding)
    const response =
      names && !hidden && (await (assets ? serveAsset(ctx, assets, path, mount, ofAssets) : respond(ctx, names)))
    if (response && assets && !path) {
      withoutBody(response)
      return redirectToDirectory(ctx)
    }
    if (response) return response
    const downstream = await next()
    if (!fallbackNames || downstream.status !== 404) return downstream
    const more = { cacheControl: 'no-cache', vary: NAVIGATION }
    const fallbackResponse =
      isNavigation(ctx) &&
      (await (assets
        ? serveAsset(ctx, assets, `/${fallback === 'index.html' ? '' : fallback}`, mount, 'no-cache')
        : respond(ctx, fallbackNames, more)))
    if (fallbackResponse) withoutBody(downstream)
    // A cache must not send the 404 to a navigation, nor the page to a script
    return fallbackResponse && !assets
      ? fallbackResponse
      : addFields(fallbackResponse || downstream, ['vary', NAVIGATION])
  }
}

const pathBelow = (path: string, prefix: string): string | undefined =>
  path === prefix || path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined

const isHidden = (name: string, at: number): boolean => name.startsWith('.') && !(at === 0 && name === '.well-known')

/** The headers that select the fallback and its copy. */
const NAVIGATION = 'Accept, Sec-Fetch-Mode, Sec-Fetch-Dest, Accept-Encoding'

/** Whether a browser navigates. A proxy that uses `fetch` of Node replaces the mode, but not the destination. */
const isNavigation = (ctx: Context): boolean => {
  if (ctx.header('sec-fetch-mode') === 'navigate') return true
  const destination = ctx.header('sec-fetch-dest')
  return destination ? /document|frame/.test(destination) : /\btext\/html\b/i.test(ctx.header('accept') ?? '')
}

/** Redirects to the same path with a slash. The reference is relative, so no path can make it name another host. */
const redirectToDirectory = ({ path, url }: Context): Response =>
  createResponse(null, undefined, 308, { location: `./${path.slice(path.lastIndexOf('/') + 1)}/${url.search}` })

const NAMES =
  'root:string prefix:string index extensions dotfiles maxAge immutable:boolean etag:boolean precompressed fallback:string types:object binding:string'

const checkOptions = (options: StaticOptions): StaticOptions => {
  checkNames('serveStatic', options, NAMES)
  const { root, prefix = '', index = false, extensions = [], dotfiles = 'ignore', maxAge = 0, fallback } = options
  const { immutable, precompressed = [], types = {} } = options
  const check = (isValid: unknown, name: string, expected: string, got: unknown): void =>
    checkOption(isValid, `serveStatic: ${name}`, expected, got)
  const isName = (name: unknown): boolean => typeof name === 'string' && namesOf(`/${name}`)?.names.length === 1
  check(root && !root.includes('\0'), 'root', 'a folder', root)
  check(/^(?:\/[^/]+)*$/.test(prefix), 'prefix', 'a path such as "/assets"', prefix)
  check(index === false || isName(index), 'index', 'the name of a file, or false', index)
  const areNames = Array.isArray(extensions) && extensions.every((name) => isName(name) && !name.startsWith('.'))
  check(areNames, 'extensions', 'a list such as ["html"]', extensions)
  check(['ignore', 'deny', 'allow'].includes(dotfiles), 'dotfiles', '"ignore", "deny" or "allow"', dotfiles)
  checkWhole(maxAge, 'serveStatic: maxAge', 'seconds')
  // A file that never changes cannot be stale at once
  check(!immutable || maxAge, 'immutable', 'maxAge as well', immutable)
  const coded = [precompressed].flat().every((one) => typeof one === 'boolean' || Object.hasOwn(CODINGS, one as string))
  check(coded, 'precompressed', 'a boolean, or a list of "br", "zstd" and "gzip"', precompressed)
  const path = fallback === undefined ? undefined : namesOf(`/${fallback}`)
  check(fallback === undefined || (path?.names.length && !path.slash), 'fallback', 'a file below the root', fallback)
  const typed = Object.values(types).every((type) => typeof type === 'string' && isFieldValue(type))
  check(typed, 'types', 'media types', types)
  return options
}
