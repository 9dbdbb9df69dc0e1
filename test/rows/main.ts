import { run } from './run.ts'

console.log(JSON.stringify(await run()))
