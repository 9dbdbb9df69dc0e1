#!/usr/bin/env node
import { processOutput } from './output.ts'
import { run } from './program.ts'

// 128 + the signal's number, as a shell reports it. Files are written synchronously, so none is incomplete here.
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

const code = await run(process.argv.slice(2), { cwd: process.cwd(), env: process.env, output: processOutput() })

// An imported application may keep connections and timers open; the output is flushed before the process exits.
process.stdout.write('', () => process.exit(code))
