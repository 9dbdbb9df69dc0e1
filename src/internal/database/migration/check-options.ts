import { checkNames, checkOption } from '../../options.ts'

/**
 * Check options before anything is run or dropped: without `dryRun`, because it was misspelt, everything would be.
 *
 * @param more names in addition to those that every function of migrations has, as in `checkNames`
 * @throws {TypeError} for an unknown name, a value of the wrong type, and without a folder.
 */
export const checkMigration = (feature: string, options: { readonly folder: string }, more = ''): void => {
  checkNames(feature, options, `db folder:string load:function lockTimeoutMs:number ${more}`)
  checkOption(options.folder, `${feature}: folder`, 'a folder', options.folder)
}
