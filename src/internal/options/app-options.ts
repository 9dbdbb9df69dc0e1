import { DEV } from '#mode'
import type { ToRoutes } from '../types/plan.ts'
import type { MountSettings } from '../types/settings.ts'
import { checkNames } from './check.ts'

/** The checked options of every kind of application. */
export interface CheckedAppOptions extends Omit<MountSettings, 'limit'> {
  readonly bodyLimit?: number | undefined
  readonly strict?: boolean | undefined
  readonly basePath?: string | undefined
  readonly patterns?: ToRoutes | undefined
}

/**
 * Check the options of an application when it is created.
 *
 * @param more the other names that this kind of application knows, as in `checkNames`
 * @throws {TypeError} for an unknown name, and for a value of the wrong type.
 */
export function checkAppOptions(options: object, more = ''): void {
  if (!DEV) return
  const names =
    'basePath:string strict:boolean notFound:function onError:function onRefusal:function methodNotAllowed:function patterns:function bodyLimit:number'
  checkNames('createApp', options, `${names} ${more}`.trim())
}
