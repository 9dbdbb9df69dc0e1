/** There are no packages here, only what was bundled. */
export const findPackage = (_name: string): string | undefined => undefined

/** There are no files here. */
export const readPackageFile = async (_folder: string, file: string): Promise<Uint8Array<ArrayBuffer>> => {
  throw new Error(`This runtime has no files, and so no ${file}`)
}
