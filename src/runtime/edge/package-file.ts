/** The edge has no packages, only what was bundled. */
export const findPackage = (_name: string): string | undefined => undefined

/** The edge has no files. */
export const readPackageFile = async (_folder: string, file: string): Promise<Uint8Array<ArrayBuffer>> => {
  throw new Error(`This runtime has no files, and so no ${file}`)
}
