import type { DevStep } from './application.ts'
import type { Thrown } from './thrown.ts'

/** What a step did, as far as a message about it needs. */
export interface Conduct {
  readonly step: DevStep
  /** What it is called in messages: `handler of GET /users`. */
  readonly label: string
  readonly isHandler: boolean
  /** Whether it called `next()`. */
  readonly called: boolean
  /** Its own `next`. */
  readonly next: unknown
}

/** Whether a value is what the framework takes as a response. */
const isResponse = (value: unknown): boolean => {
  const { status, headers } = Object(value) as Partial<Response>
  return typeof status === 'number' && typeof headers?.get === 'function'
}

/**
 * Why a step has no response, and what to write instead; `undefined` if it has one.
 *
 * @param answer what it returned
 * @param known `ctx.response`, which counts if it returned nothing
 */
export const missingResponse = (conduct: Conduct, answer: unknown, known: unknown): string | undefined => {
  const given = answer ?? known
  if (isResponse(given)) return undefined
  const kind = given === undefined ? `${answer}` : given instanceof Error ? given.name : typeof given
  return `The ${conduct.label} gave no Response, but ${kind}: ${adviceOn(conduct, given)}`
}

const adviceOn = (conduct: Conduct, given: unknown): string => {
  const { step, isHandler, called, next } = conduct
  if (given instanceof Error) return 'throw the error instead of returning it'
  if (typeof given === 'function') {
    if (given === next) return 'call it, `return next()`'
    return `call it where it is registered${step.name && `, \`${step.name}()\``}`
  }
  if (given !== undefined) return typeof given === 'object' ? 'return ctx.json(…)' : 'return ctx.text(…)'
  if (isHandler) return 'return one, such as ctx.json(…)'
  return called ? 'return or await what next() gives, `return next()`' : 'end it with `return next()`, or return one'
}

/** Methods that contexts of other frameworks have, and what they are here. */
const FOREIGN: Readonly<Record<string, string>> = {
  body: 'ctx.text(content), or new Response(content)',
  cookie: 'setCookie(ctx, name, value) of sluice/cookie',
  get: 'ctx.header(name) for headers, ctx.state for values of middleware',
  render: 'ctx.html(markup)',
  send: 'return ctx.text(content) or ctx.json(data)',
  set: 'ctx.state for values, ctx.onResponse([name, value]) for headers',
  status: 'the second argument, ctx.json(data, 201)',
}

/** Middleware that writes a key of `ctx.state`. */
const WRITERS: Readonly<Record<string, string>> = {
  body: 'bodyParser()',
  csrfToken: 'csrf()',
  requestId: 'requestId()',
  session: 'session()',
  valid: 'validateBody(schema)',
  validated: 'validateBody(schema)',
}

/**
 * What an error of JavaScript itself usually means here, and what to write instead; `undefined` if nobody can tell.
 *
 * @param line the line of the source that threw
 */
export const hintOf = (
  { name, message }: Pick<Thrown, 'name' | 'message'>,
  conduct: Conduct | undefined,
  line = '',
): string | undefined => {
  if (name !== 'TypeError' || conduct === undefined) return undefined
  const { step, isHandler } = conduct
  if (isUncalled(message, conduct)) return `Middleware is created by a call: write ${step.name || 'it'}() for it.`
  // Only those of Express take more, and nothing else is the second argument of a handler
  if (step.length > (isHandler ? 1 : 2) && /next|undefined/.test(message)) {
    return `A handler takes (ctx), and middleware takes (ctx, next): this one takes ${step.length} arguments.`
  }
  if (message.includes('serialize a BigInt')) return 'JSON has no bigint: write String(value) or Number(value).'
  if (/\bschema\.safeParse is not|'~standard'/.test(message)) return 'A schema is expected, such as z.object({ … }).'
  if (message === 'promise.catch is not a function') return 'ctx.waitUntil takes a promise: call the function.'
  const foreign = /\.(\w{1,20}) is not a function$/.exec(message)?.[1] ?? ''
  if (Object.hasOwn(FOREIGN, foreign) && /\b(?:c|ctx|context)\./.test(message)) return `Here it is ${FOREIGN[foreign]}.`
  if (!message.startsWith('Cannot ')) return undefined
  const key = /\.state\.(\w{1,40})/.exec(line)?.[1] ?? ''
  if (Object.hasOwn(WRITERS, key)) return `ctx.state.${key} is written by ${WRITERS[key]}, which must run before.`
  if (/\b(?:c|ctx)\.re[qs]\./.test(line))
    return 'There is no ctx.req and no ctx.res: headers, query and readers are members of ctx.'
  if (/\.headers\b/.test(line) && !isHandler)
    return 'next() gives a promise if anything behind it is asynchronous: write `await next()`.'
  return undefined
}

/** A function that makes middleware takes the context for its options, or for its schema, and refuses it. */
const isUncalled = (message: string, { step, called, isHandler }: Conduct): boolean =>
  !isHandler &&
  !called &&
  (/^\w+: schema: expected a schema, got \{"done"/.test(message) ||
    // The second argument of `validateBody` is what is `next` here
    (/^validate[A-Z]/.test(step.name) && message === 'validator: expected an object of options, got "Function"') ||
    (step.length < 2 && /^\w+: target: unknown option/.test(message)))
