import { adopt, withoutBody } from '#runtime/core'

/**
 * Let the platform's own asset server respond. It knows its files, their types, tags and pages.
 *
 * @param prefix the part of the path before `path`, which its redirects lack
 * @returns `undefined` if it has no such asset.
 */
export const serveAsset = async (
  { request }: { readonly request: Request },
  assets: (request: Request) => Promise<Response>,
  path: string,
  prefix: string,
  cacheControl: string | undefined,
): Promise<Response | undefined> => {
  const url = new URL(request.url)
  url.pathname = path
  const { method, headers } = request
  const response = await assets(new Request(url, { method, headers, redirect: 'manual' }))
  // A failed precondition and an unsatisfiable range are about an asset that exists
  if (response.status >= 400 && response.status !== 412 && response.status !== 416) {
    withoutBody(response)
    return undefined
  }
  const copy = adopt(response)
  const location = copy.headers.get('location')
  if (location && /^\/(?!\/)/.test(location)) copy.headers.set('location', prefix + location)
  else if (cacheControl && !location) copy.headers.set('cache-control', cacheControl)
  return copy
}
