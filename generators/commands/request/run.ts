import { hasSwitch, type Invocation, type RunCommand, textOption } from '../../command.ts'
import { usageError } from '../../errors.ts'
import type { Output } from '../../output.ts'
import { importApplication } from '../../project/application.ts'

/**
 * `sluice request <METHOD> <path>`: one request in this process, the response on standard output; exit code 1 from
 * status 400 on.
 */
export const request: RunCommand = async (invocation) => {
  const httpRequest = readRequest(invocation)
  const app = await importApplication(invocation)
  const response = await app.fetch(httpRequest)
  if (hasSwitch(invocation, 'include')) showHead(response, invocation.output)
  await showBody(response, invocation.output)
  return response.status < 400 ? 0 : 1
}

const readRequest = (invocation: Invocation): Request => {
  const [method = '', path = ''] = invocation.args
  assertPath(method, path)
  const body = textOption(invocation, 'data')
  try {
    const headers = readHeaders(textOption(invocation, 'header'))
    if (body !== undefined && !headers.has('content-type'))
      headers.set('content-type', meansJson(body) ? 'application/json' : 'text/plain; charset=utf-8')
    return new Request(`http://localhost${path}`, {
      method: method.toUpperCase(),
      headers,
      ...(body !== undefined && { body }),
    })
  } catch (error) {
    throw usageError(`The request is not valid: ${(error as Error).message}`)
  }
}

const assertPath = (method: string, path: string): void => {
  if (path.startsWith('/')) return
  const remedy = /^[A-Z]:/i.test(path)
    ? 'Git Bash changes a path that begins with "/": write //users'
    : `Did you mean "sluice request ${method} /${path.replace(/^https?:\/\/[^/]*\/?/i, '')}"?`
  throw usageError(`The path must begin with "/", got "${path}". ${remedy}`)
}

const readHeaders = (lines = ''): Headers => {
  const headers = new Headers()
  for (const line of lines.split('\n').filter(Boolean)) {
    const colon = line.indexOf(':')
    if (colon < 1) throw new TypeError(`expected a header field such as "name: value", got "${line}"`)
    headers.append(line.slice(0, colon).trim(), line.slice(colon + 1).trim())
  }
  return headers
}

/** Text that begins like an object or a list is sent as JSON, even if it is malformed: the application reports that. */
const meansJson = (text: string): boolean => /^\s*[{[]/.test(text) || isJson(text)

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const showHead = (response: Response, { line, paint }: Output): void => {
  const color = response.status < 400 ? paint.green : paint.red
  line(color(`${response.status} ${response.statusText}`.trimEnd()))
  for (const [name, value] of response.headers) line(`${paint.dim(`${name}:`)} ${value}`)
  line()
}

/** JSON is formatted; anything else is printed as it arrives, so that streams are visible while they run. */
const showBody = async (response: Response, { line, write }: Output): Promise<void> => {
  if (/^application\/(?:[\w.-]+\+)?json\b/.test(response.headers.get('content-type') ?? '')) {
    const text = await response.text()
    line(isJson(text) ? JSON.stringify(JSON.parse(text), null, 2) : text)
    return
  }
  if (response.body === null) return
  const reader = response.body.getReader()
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) write(chunk.value)
  line()
}
