import { checkNames, checkOption } from './options.ts'
import { normalizePattern } from './route/pattern.ts'

/** The options that every kind of application has. */
interface AppOptions {
  readonly basePath?: string
  readonly bodyLimit?: number
}

/**
 * Refuse the options of an application when it is made.
 *
 * @param more further names that this kind of application knows, each after a space
 * @param allow the type that `methodNotAllowed` must have, after a colon
 * @throws {TypeError} for an unknown name, a `basePath` that is not a path, a `bodyLimit` that is not a number of bytes.
 */
export const checkAppOptions = (options: AppOptions, more: string, allow = ''): void => {
  checkNames(
    'createApp',
    options,
    `basePath:string strict:boolean notFound:function onError:function patterns:function methodNotAllowed${allow} bodyLimit${more}`,
  )
  const { basePath = '', bodyLimit = 0 } = options
  checkOption(typeof bodyLimit === 'number' && bodyLimit >= 0, 'createApp: bodyLimit', 'a number of bytes', bodyLimit)
  normalizePattern(`${basePath}/`)
}
