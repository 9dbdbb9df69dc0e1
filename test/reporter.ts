import { appendFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestModule, Vitest } from 'vitest/node'

/** All projects of `test/vitest.config.ts`. */
const PROJECTS = ['node', 'alone', 'thorough', 'platform', 'production', 'slow', 'services', 'browser', 'site', 'e2e']

/**
 * Says at the end what failed, what did not run, why, and how to run it; and the line `vitest N passed, N failed`, which
 * `.ci/run` adds up. With `SLUICE_FAILURES` it appends what failed to that file, for the end of `npm run test:all`.
 */
export default class Summary implements Reporter {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const run = new Set(this.#vitest?.projects.map(({ name }) => name))
    const left = PROJECTS.filter((name) => !run.has(name))
    const lines = [...reasons(modules)].map(([reason, count]) => `Skipped: ${count} tests: ${reason}`)
    if (left.length)
      lines.push(
        `Not run: ${left.join(', ')}. Everything: npm run test:all. One: npx vitest run -c test/vitest.config.ts --project ${left[0]}`,
      )
    const failures = [...modules.flatMap(failuresOf), ...errors.map((error) => `outside a test: ${nameOf(error)}`)]
    for (const failure of failures) lines.push(`FAILED ${failure}`)
    if (failures.length && process.env.SLUICE_FAILURES)
      appendFileSync(process.env.SLUICE_FAILURES, failures.map((failure) => `${failure}\n`).join(''))
    const passed = modules.reduce((sum, { children }) => sum + [...children.allTests('passed')].length, 0)
    console.log(`${lines.map((line) => `${line}\n`).join('')}vitest ${passed} passed, ${failures.length} failed`)
  }
}

/** What failed in a file: its tests or, when a hook or the file itself threw, the file. */
const failuresOf = (module: TestModule): string[] => {
  const file = `[${module.project.name}] ${module.relativeModuleId}`
  const failed = [...module.children.allTests('failed')].map(
    (test) => `${file} > ${test.fullName}: ${nameOf(test.result().errors?.[0])}`,
  )
  if (failed.length || module.ok()) return failed
  const suites = [...module.children.allSuites()].flatMap((suite) => suite.errors())
  return [`${file}: ${nameOf(module.errors()[0] ?? suites[0])}`]
}

/** The first line of an error, and where it was thrown. */
const nameOf = (error: SerializedError | undefined): string =>
  [
    error?.message.split('\n')[0],
    error?.stack
      ?.split('\n')
      .find((line) => /^\s+at /.test(line))
      ?.trim(),
  ].join(' ')

/** How many tests were skipped for which reason; the reason is in the title of their group. */
const reasons = (modules: readonly TestModule[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const module of modules) {
    for (const test of module.children.allTests('skipped')) {
      const reason = /skipped: ([^)]*)\)/.exec(test.fullName)?.[1]
      if (reason) counts.set(reason, (counts.get(reason) ?? 0) + 1)
    }
  }
  return counts
}
