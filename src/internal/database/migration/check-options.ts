import { checkNames, checkOption } from '../../options/check.ts'

/** Check options first: a misspelt `dryRun` would run everything. @param more further names, as in `checkNames` */
export const checkMigration = (
  feature: string,
  options: { readonly folder: string; readonly lockTimeoutMs?: number },
  more = '',
): void => {
  checkNames(feature, options, `db folder:string load:function lockTimeoutMs:number ${more}`)
  const { folder, lockTimeoutMs = 0 } = options
  checkOption(folder, `${feature}: folder`, 'a folder', folder)
  // With NaN, the lock would be awaited for ever
  checkOption(lockTimeoutMs >= 0, `${feature}: lockTimeoutMs`, 'milliseconds from 0', lockTimeoutMs)
}
