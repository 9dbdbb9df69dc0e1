import { checkNames, checkOption } from '../../options/check.ts'

interface CheckedOptions {
  readonly folder: string
  readonly lockTimeoutMs?: number
}

/**
 * Check options before anything is run or dropped. Otherwise a misspelt `dryRun` would run everything.
 *
 * @param more names in addition to those that every function of migrations has, as in `checkNames`
 * @throws {TypeError} for an unknown name, a value of the wrong type, and without a folder.
 */
export const checkMigration = (feature: string, options: CheckedOptions, more = ''): void => {
  checkNames(feature, options, `db folder:string load:function lockTimeoutMs:number ${more}`)
  const { folder, lockTimeoutMs = 0 } = options
  checkOption(folder, `${feature}: folder`, 'a folder', folder)
  // With NaN it would wait for ever
  checkOption(lockTimeoutMs >= 0, `${feature}: lockTimeoutMs`, 'milliseconds from 0', lockTimeoutMs)
}
