import { checkNames, checkOption } from '../options/check.ts'

/** @throws {TypeError} for a bad option of `openapi`, with the name of the function that got it. */
export const checkOpenApiOptions = (feature: string, options: object): void => {
  checkNames(
    feature,
    options,
    'info:object servers:object security:object securitySchemes:object tags:object unrepresentable:string',
  )
  const {
    info,
    unrepresentable = 'any',
    ...more
  } = options as {
    readonly info?: { readonly title: unknown; readonly version: unknown } | null
    readonly unrepresentable?: string
    readonly servers?: unknown
    readonly security?: unknown
    readonly tags?: unknown
  }
  for (const name of ['servers', 'security', 'tags'] as const)
    checkOption(Array.isArray(more[name] ?? []), `${feature}: ${name}`, 'a list', more[name])
  const isInfo = typeof info?.title === 'string' && typeof info.version === 'string'
  checkOption(isInfo, `${feature}: info`, 'a title and a version', info)
  const isMode = ['throw', 'any'].includes(unrepresentable)
  checkOption(isMode, `${feature}: unrepresentable`, '"throw" or "any"', unrepresentable)
}
