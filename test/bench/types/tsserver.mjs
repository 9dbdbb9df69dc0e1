import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Ask the editor's server for completions as an editor does: the file is open, a letter is typed, then it asks. The
 * application is another file, which nobody has open.
 *
 * @returns for each probe milliseconds of processor time, for the first question and as the median of the others; on a
 * machine with other work these say more than a clock. NaN where the right name is not offered
 */
export const completions = async (server, file, probes, rounds = 5) => {
  const child = spawn(process.execPath, [server, '--disableAutomaticTypingAcquisition'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const waiting = new Map()
  let buffer = ''
  let seq = 0
  child.stdout.setEncoding('utf8').on('data', (text) => {
    buffer += text
    const lines = buffer.split('\n')
    buffer = lines.pop()
    for (const line of lines) {
      if (!line.startsWith('{')) continue
      const message = JSON.parse(line)
      waiting.get(message.request_seq)?.(message)
    }
  })
  const tell = (command, args) =>
    child.stdin.write(`${JSON.stringify({ seq: ++seq, type: 'request', command, arguments: args })}\n`)
  const ask = (command, args) => {
    tell(command, args)
    return new Promise((resolve) => waiting.set(seq, resolve))
  }
  const text = readFileSync(file, 'utf8')
  const line = text.split('\n').length
  tell('open', { file, fileContent: text })
  const results = {}
  try {
    for (const [name, before, after, wanted] of probes) {
      const times = []
      for (let round = 0; round <= rounds; round++) {
        const code = `${before}${after}`
        tell('change', { file, line, offset: 1, endLine: line, endOffset: 1, insertString: code })
        const start = processorTime(child.pid)
        const { body } = await ask('completionInfo', { file, line, offset: before.length + 1 })
        times.push(processorTime(child.pid) - start)
        if (!body?.entries?.some((entry) => entry.name.replace(/^\//, '') === wanted)) times.push(Number.NaN)
        tell('change', { file, line, offset: 1, endLine: line, endOffset: code.length + 1, insertString: '' })
      }
      const [first, ...rest] = times
      const sorted = rest.sort((a, b) => a - b)
      results[name] = times.some(Number.isNaN)
        ? Number.NaN
        : { first: Math.round(first), median: Math.round(sorted[sorted.length >> 1]) }
    }
  } finally {
    child.kill()
  }
  return results
}

/** Milliseconds that a process has worked, in steps of 10 (proc_pid_stat(5)); the clock on systems other than Linux. */
const processorTime = (pid) => {
  if (process.platform !== 'linux') return performance.now()
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
