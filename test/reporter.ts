import type { Reporter, TestModule, Vitest } from 'vitest/node'

/** All projects of `test/vitest.config.ts`. */
const PROJECTS = ['node', 'alone', 'thorough', 'platform', 'slow', 'services', 'browser', 'e2e']

/**
 * Says at the end what did not run, why, and how to run it; and the line `vitest N passed, N failed`, which `.ci/run`
 * adds up.
 */
export default class Summary implements Reporter {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const run = new Set(this.#vitest?.projects.map(({ name }) => name))
    const left = PROJECTS.filter((name) => !run.has(name))
    const lines = [...reasons(modules)].map(([reason, count]) => `Skipped: ${count} tests: ${reason}`)
    if (left.length)
      lines.push(
        `Not run: ${left.join(', ')}. Everything: npm run test:all. One: npx vitest run -c test/vitest.config.ts --project ${left[0]}`,
      )
    const tests = modules.flatMap(({ children }) => [...children.allTests()])
    const failed = tests.filter((test) => test.result().state === 'failed').length
    // A file or a hook that throws fails no test: it counts as one.
    const broken = modules.filter((module) => !module.ok() && ![...module.children.allTests('failed')].length).length
    const passed = tests.filter((test) => test.result().state === 'passed').length
    console.log(`${lines.map((line) => `${line}\n`).join('')}vitest ${passed} passed, ${failed + broken} failed`)
  }
}

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
