import { checkNames, checkOption } from './options.ts'
import type { OwnAnswers } from './route/own-answers.ts'
import type { ToRoutes } from './types/plan.ts'

/** The checked options of every kind of application. */
export interface ShellOptions extends OwnAnswers {
  readonly strict?: boolean | undefined
  readonly basePath?: string | undefined
  readonly patterns?: ToRoutes | undefined
}

/** The options that every kind of application has. */
interface AppOptions {
  readonly bodyLimit?: number
}

/**
 * Check the options of an application when it is created.
 *
 * @param more the other names that this kind of application knows, as in `checkNames`
 * @throws {TypeError} for an unknown name, a value of the wrong type, a `bodyLimit` that is not a number of bytes.
 */
export const checkAppOptions = (options: AppOptions, more: string): void => {
  const names = 'basePath:string strict:boolean notFound:function onError:function patterns:function bodyLimit'
  checkNames('createApp', options, `${names} ${more}`)
  const { bodyLimit = 0 } = options
  checkOption(typeof bodyLimit === 'number' && bodyLimit >= 0, 'createApp: bodyLimit', 'a number of bytes', bodyLimit)
}
