import type { ChildProcessWithoutNullStreams } from 'node:child_process'

/** What a process has written so far, and how it ends: its exit code, or the signal that ended it. */
export const watch = (child: ChildProcessWithoutNullStreams) => {
  const seen = { output: '', errors: '' }
  child.stdout.on('data', (chunk) => {
    seen.output += chunk
  })
  child.stderr.on('data', (chunk) => {
    seen.errors += chunk
  })
  const exit = new Promise<number | string>((resolve) =>
    child.on('close', (code, signal) => resolve(code ?? signal ?? 'unknown')),
  )
  return { seen, exit }
}
