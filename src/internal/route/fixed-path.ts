import { checkOption } from '../options/check.ts'

/** @throws {TypeError} for a path without a leading slash, with one at the end, with parameters or with a query. */
export const checkFixedPath = (path: string, name: string, example: string, got: unknown = path): void =>
  checkOption(/^(\/[^/:*?#]+)+$/.test(path), name, `a path such as "${example}"`, got)
