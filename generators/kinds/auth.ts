import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { usageError } from '../errors.ts'
import { type Field, parseFields } from '../fields.ts'
import { modelPath, parseName, splitWords, toPascal } from '../names.ts'
import { type RelatedModel, relatedModel } from '../relations.ts'
import { renderTemplate, routeCall } from '../render.ts'
import { wireRoutes } from '../routes-file.ts'
import type { PlannedFile } from '../write.ts'
import {
  type AnswerVariables,
  answerVariables,
  type CommonVariables,
  commonVariables,
  type Kind,
  type KindInput,
  sharedFile,
  testDatabase,
} from './kind.ts'
import { identifier, migration, migrationPath } from './migration.ts'
import { model } from './model.ts'

/**
 * Sign-in for a model: registration, login, logout and password reset with a one-time token, with their routes and
 * test.
 */
export const auth: Kind = {
  name: 'auth',
  suffix: 'Auth',
  describe: 'registration, login, logout and a new password by mail, with sessions',
  templates: [
    ...['auth.model', 'auth.migration', 'auth.validator', 'auth.session', 'auth.guard', 'auth.mail', 'auth.controller'],
    ...['auth.routes', 'auth.test', 'password', 'one-time-token', 'test-database'],
  ],
  options: ['fields'],
  plan: (input) => {
    const { root } = input
    const account = modelOf(input)
    const variables = authVariables(input, account)
    const { inside, name, kebab } = variables
    assertOwnTables(input, account, variables)
    const file = (path: string, template: string): PlannedFile => ({
      path,
      contents: renderTemplate(root, template, variables),
    })
    const steps = account.exists ? [] : accountFiles(input)
    return [
      ...steps,
      file(`src/app/models/${inside}${name}Credential.ts`, 'auth.model'),
      file(migrationPath(input, `create_${variables.credentials}_table`, steps), 'auth.migration'),
      ...sharedFile(root, 'src/app/password.ts', 'password'),
      ...sharedFile(root, 'src/app/one-time-token.ts', 'one-time-token'),
      file(`src/app/validators/${inside}${name}Auth.ts`, 'auth.validator'),
      file(variables.mailFile, 'auth.mail'),
      file(`src/app/middleware/${inside}${kebab}-session.ts`, 'auth.session'),
      file(`src/app/middleware/${inside}require-${kebab}.ts`, 'auth.guard'),
      file(`src/app/controllers/${inside}${name}AuthController.ts`, 'auth.controller'),
      file(routesFile(input), 'auth.routes'),
      ...testDatabase(input),
      file(`test/${inside}${kebab}-auth.test.ts`, 'auth.test'),
      ...wiringOf(input).files,
      ...envExample(root),
    ]
  },
  advise: (input) => {
    const { variable, name, mailFile, registered, inside, kebab, label } = authVariables(input)
    const open = `src/app/routes/${inside}${kebab}.ts`
    const routes = routesFile(input)
    return [
      ...wiringOf(input).advice,
      `Whoever registers may set: ${['email', ...registered.map((field) => field.name)].join(', ')}.`,
      `Before production: set SESSION_SECRET to 32 random bytes or more, and send the mail of ${mailFile}.`,
      `Behind a proxy all clients share one limit: say how many there are in ${routes}, clientKey({ trustProxy: 1 }).`,
      ...(existsSync(join(input.root, open))
        ? [
            `The routes of ${open} are open: anybody may read and change ${label} there. Put ${variable}Session, ` +
              `${variable}Csrf and require${name} before them, and what tells whose record it is.`,
          ]
        : []),
      'A route for those who have signed in:',
      `  app.post('/path', ${variable}Session, ${variable}Csrf, require${name}, handler)`,
    ]
  },
}

const routesFile = ({ name: { folders, kebab } }: KindInput): string =>
  `src/app/routes/${[...folders, `${kebab}-auth`].join('/')}.ts`

const wiringOf = (input: KindInput) =>
  wireRoutes(input.root, routesFile(input), `${input.name.camel}AuthRoutes`, input.name.folders)

const ENV_EXAMPLE = '.env.example'

/** What who deploys the project copies: the secret has a line there, without a value. */
const envExample = (root: string): readonly PlannedFile[] => {
  const path = join(root, ENV_EXAMPLE)
  if (!existsSync(path)) return []
  const source = readFileSync(path, 'utf8')
  if (/^#? *SESSION_SECRET=/m.test(source)) return []
  const end = source === '' || source.endsWith('\n') ? '' : '\n'
  const lines = '# Production: 32 random bytes or more, such as those of `openssl rand -base64 32`\nSESSION_SECRET=\n'
  return [{ path: ENV_EXAMPLE, contents: `${source}${end}${lines}`, edit: true }]
}

/** The model and its table, where the project has none yet. */
const accountFiles = (input: KindInput): readonly PlannedFile[] => {
  const fields = [...parseFields('email:email:unique'), ...ownFields(input.typed)]
  const account = { ...input, fields, table: input.name.table }
  const words = splitWords(account.table).map((word) => word.toLowerCase())
  const step = parseName(`Create${toPascal(words)}Table`)
  return [...model.plan(account), ...migration.plan({ ...account, name: step })]
}

interface AuthVariables extends CommonVariables, Pick<AnswerVariables, 'answers'> {
  /** What a client may send to register, besides the address. */
  readonly registered: readonly Field[]
  /** `admin_user`: begins the names of tables and cookies, so that two models of one name do not share them. */
  readonly prefix: string
  /** What an address has to be, as any field of its type. */
  readonly emailSchema: string
  /** Table of the credentials, and of the sessions. */
  readonly credentials: string
  readonly sessions: string
  readonly mailFile: string
  readonly model: string
  /** From the test back to the project, and to the folder of the tests. */
  readonly top: string
  readonly helper: string
  readonly constraint: (ending: string) => string
  readonly route: typeof routeCall
  /** Action, summary and responses of each route. */
  readonly about: readonly (readonly [action: string, summary: string, responses: string])[]
}

/** What the document of the API says; the steps of the routes add their own refusals. */
const ABOUT: AuthVariables['about'] = [
  ['csrf', 'The token that every change needs', '200: z.object({ token: z.string() })'],
  ['me', 'Who is signed in', '200: one, 401: unknown'],
  ['register', 'Register, and get a token by mail', '202: mailed'],
  ['forgot', 'Get a token for a new password by mail', '202: mailed'],
  ['reset', 'Set a password with a mailed token', '204: {}, 409: used'],
  ['login', 'Sign in', '200: one, 401: wrong'],
  ['logout', 'Sign out', '204: {}'],
]

const authVariables = (input: KindInput, account = modelOf(input)): AuthVariables => {
  const common = commonVariables({ ...input, table: account.table })
  const { name, snake, inside, folders } = common
  const prefix = [...folders.map((folder) => folder.replaceAll('-', '_')), snake].join('_')
  const credentials = `${prefix}_credentials`
  const registered = registeredFields(input, account)
  const fields = account.exists ? account.fields : [...parseFields('email:email:unique'), ...registered]
  return {
    ...common,
    answers: answerVariables({ ...input, fields }).answers,
    registered,
    about: ABOUT,
    prefix,
    emailSchema: parseFields('email:email')[0]?.schema ?? '',
    credentials,
    sessions: `${prefix}_sessions`,
    mailFile: `src/app/services/${inside}${name}Mail.ts`,
    model: modelPath(input.name),
    top: '../'.repeat(folders.length + 1),
    helper: '../'.repeat(folders.length) || './',
    constraint: (ending) => identifier(`${credentials}_${ending}`),
    route: routeCall,
  }
}

const modelOf = ({ root, name }: KindInput): RelatedModel => relatedModel(root, modelPath(name))

/**
 * Prevents users of one model from signing in with another model.
 *
 * @throws {CliError} with exit code 2 if another model has the table of the account, or that of its credentials.
 */
const assertOwnTables = (
  { root, name: { pascal } }: KindInput,
  account: RelatedModel,
  { credentials, inside, model }: AuthVariables,
): void => {
  const own: Readonly<Record<string, string>> = {
    [account.file]: account.table,
    [`${inside}${pascal}Credential.ts`]: credentials,
  }
  for (const [file, table] of tablesOfModels(root)) {
    if (file in own || !Object.values(own).includes(table)) continue
    const remedy =
      table === credentials
        ? 'take another name for one of the two'
        : `first give ${model} a table of its own, in its tableName or by ` +
          `sluice g model ${model} email:email:unique --table <name>, and a migration of that table`
    throw usageError(
      `src/app/models/${file} has the table "${table}" already, and who signs in to one would be signed in to both: ${remedy}`,
    )
  }
}

/** Files of models, each with its table. */
const tablesOfModels = (root: string): readonly (readonly [file: string, table: string])[] => {
  const folder = join(root, 'src/app/models')
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.[cm]?[jt]s$/.test(file))
    .sort()
    .flatMap((file) => {
      const tables = readFileSync(join(folder, file), 'utf8').matchAll(/\btableName\b[^=\n]*= *['"`](\w+)/g)
      return [...tables].map(([, table = '']) => [file, table] as const)
    })
}

const ownFields = (typed: readonly Field[]): readonly Field[] => typed.filter(({ name }) => name !== 'email')

/**
 * What a client may send to register: the fields that were typed, and nothing for being a column of the model.
 *
 * @throws {CliError} with exit code 2 if a record could not be made of them, or would tell who has an account.
 */
const registeredFields = ({ typed }: KindInput, account: RelatedModel): readonly Field[] => {
  const fields = ownFields(typed)
  const telling = fields.find(({ unique, relation }) => unique || relation !== undefined)
  if (telling !== undefined)
    throw usageError(
      `${telling.name}: what is unique or refers to a record cannot be sent to register, since the answer would tell ` +
        'what is there; let those set it who have signed in',
    )
  if (!account.exists) return fields
  const file = `src/app/models/${account.file}`
  // Kept in any other spelling than the one of a login, an address is an account that nobody can sign in to.
  if (
    !account.fields.some(
      ({ name, kind, unique, optional }) => name === 'email' && kind === 'email' && unique && !optional,
    )
  )
    throw usageError(
      `${file} has no column "email" that is unique and has one spelling: write email: 'email', // email:unique`,
    )
  const names = new Set(['email', ...fields.map(({ name }) => name)])
  const missing = account.fields.find(({ name, optional }) => !optional && !names.has(name))
  if (missing !== undefined)
    throw usageError(
      `${file} needs "${missing.name}": name it if a client may send it to register, ` +
        `sluice g auth ${account.className} ${missing.name}:${missing.spec}; else let it be empty`,
    )
  const unknown = fields.find(({ name }) => !account.fields.some((field) => field.name === name))
  if (unknown !== undefined) throw usageError(`${file} has no column "${unknown.name}"`)
  return fields
}
