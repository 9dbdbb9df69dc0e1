import type { ServableApp } from '../serve-contract.ts'

/** Bun's router compares the segments below one point in turn, so a longer list would cost more than it saves. */
const MOST = 32

/** A path that every spelling of a request's URL leaves as it is. */
const PLAIN = /^(?:\/|(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+)$/

/** Paths without parameters, for Bun's own router, which takes them letter by letter. */
export const staticPaths = (app: ServableApp | undefined): readonly string[] => {
  const paths = new Set(app?.routes?.().map(({ path }) => path))
  return [...paths].filter((path) => PLAIN.test(path)).slice(0, MOST)
}
