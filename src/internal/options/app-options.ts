import { DEV } from '#mode'
import type { ToRoutes } from '../types/plan.ts'
import type { MountSettings } from '../types/settings.ts'
import { checkNames } from './check.ts'

export interface CheckedAppOptions extends Omit<MountSettings, 'limit'> {
  readonly bodyLimit?: number | undefined
  readonly strict?: boolean | undefined
  readonly basePath?: string | undefined
  readonly patterns?: ToRoutes | undefined
}

/** @param more names that only this kind of application has, as in `checkNames` */
export function checkAppOptions(options: object, more = ''): void {
  if (!DEV) return
  const names =
    'basePath:string strict:boolean notFound:function onError:function onRefusal:function methodNotAllowed:function patterns:function bodyLimit:number'
  checkNames('createApp', options, `${names} ${more}`.trim())
}
