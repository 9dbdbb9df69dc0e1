import { afterAll, beforeEach, inject, vi } from 'vitest'

/**
 * What a file of tests makes while its tests are collected, such as the middleware in a table of cases, counts as made
 * by each test of the file: Stryker would not run these tests for a change of the code that makes it.
 */
const stryker = globalThis[inject('globalNamespace')]

if (inject('mode') === 'mutant') stryker.activeMutant = inject('activeMutant')
else {
  // What runs when a module loads stays out
  for (const file of process.env.SLUICE_MUTATED.split(',')) await import(/* @vite-ignore */ `../../${file}`)
  const loaded = new Set(Object.keys(stryker.mutantCoverage?.static ?? {}))
  // The file may replace modules
  vi.resetModules()
  const tests = new Set()
  beforeEach(() => void tests.add(stryker.currentTestId))
  afterAll(() => {
    const { perTest = {}, static: all = {} } = stryker.mutantCoverage ?? {}
    const made = Object.fromEntries(Object.entries(all).filter(([mutant]) => !loaded.has(mutant)))
    for (const test of tests) perTest[test] = { ...made, ...perTest[test] }
    for (const mutant of Object.keys(made)) delete all[mutant]
  })
}
