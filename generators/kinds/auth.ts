import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Field, parseFields } from '../fields.ts'
import { modelPath, parseName, splitWords, toPascal } from '../names.ts'
import { type RelatedModel, relatedModel } from '../relations.ts'
import { renderTemplate, routeCall } from '../render.ts'
import { refuseAccount } from '../reserved.ts'
import { wireRoutes } from '../routes-file.ts'
import type { PlannedFile } from '../write.ts'
import { assertOwnTables, ownFields, registeredFields } from './auth-account.ts'
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
  describe: 'registration, login, logout and password reset by mail, with sessions',
  templates: [
    ...['auth.model', 'auth.migration', 'auth.validator', 'auth.session', 'auth.guard', 'auth.mail', 'auth.controller'],
    ...['auth.routes', 'auth.test', 'password', 'password.test', 'one-time-token', 'test-database'],
  ],
  options: ['fields'],
  plan: (input) => {
    const { root } = input
    refuseAccount(input.name)
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
      ...sharedFile(root, 'test/password.test.ts', 'password.test'),
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
      `A client that registers may set: ${['email', ...registered.map((field) => field.name)].join(', ')}.`,
      `Before production: set SESSION_SECRET to at least 32 random bytes, and send the mail in ${mailFile}.`,
      `Behind a proxy, all clients share one limit. Set the number of proxies in ${routes}: clientKey({ trustProxy: 1 }).`,
      ...(existsSync(join(input.root, 'src/lambda.ts'))
        ? [
            'With toLambdaHandler a response waits until its mail is sent, so its time shows who has an account; ' +
              'toLambdaStream sends the response first.',
          ]
        : []),
      ...(existsSync(join(input.root, open))
        ? [
            `The routes of ${open} are open: anybody may read and change ${label}. Put ${variable}Session, ` +
              `${variable}Csrf and require${name} before them, and check that the record belongs to the user.`,
          ]
        : []),
      'A route for signed-in users:',
      `  app.post('/path', ${variable}Session, ${variable}Csrf, require${name}, handler)`,
    ]
  },
}

const routesFile = ({ name: { folders, kebab } }: KindInput): string =>
  `src/app/routes/${[...folders, `${kebab}-auth`].join('/')}.ts`

const wiringOf = (input: KindInput) =>
  wireRoutes(input.root, routesFile(input), `${input.name.camel}AuthRoutes`, input.name.folders)

const ENV_EXAMPLE = '.env.example'

/**
 * The example of an environment file, for whoever deploys the project: it has a line for the secret, without a value.
 */
const envExample = (root: string): readonly PlannedFile[] => {
  const path = join(root, ENV_EXAMPLE)
  if (!existsSync(path)) return []
  const source = readFileSync(path, 'utf8')
  if (/^#? *SESSION_SECRET=/m.test(source)) return []
  const end = source === '' || source.endsWith('\n') ? '' : '\n'
  const lines = '# Production: 32 random bytes or more, such as those of `openssl rand -base64 32`\nSESSION_SECRET=\n'
  return [{ path: ENV_EXAMPLE, contents: `${source}${end}${lines}`, edit: true }]
}

/** The files of the model and its table, for a project that does not have them yet. */
const accountFiles = (input: KindInput): readonly PlannedFile[] => {
  const fields = [...parseFields('email:email:unique'), ...ownFields(input.typed)]
  const account = { ...input, fields, table: input.name.table }
  const words = splitWords(account.table).map((word) => word.toLowerCase())
  const step = parseName(`Create${toPascal(words)}Table`)
  return [...model.plan(account), ...migration.plan({ ...account, name: step })]
}

interface AuthVariables extends CommonVariables, Pick<AnswerVariables, 'answers'> {
  /** The fields that a client may send to register, besides the address. */
  readonly registered: readonly Field[]
  /** The fields of the model that may be empty, and that a client must not send to register. */
  readonly unsent: readonly Field[]
  /** `admin_user`: prefix of tables and cookies, so that models of the same name in other folders do not share them. */
  readonly prefix: string
  /** Schema of an address, the same as for all fields of type email. */
  readonly emailSchema: string
  /** Tables of the credentials and of the sessions. */
  readonly credentials: string
  readonly sessions: string
  readonly mailFile: string
  readonly model: string
  /** Relative paths from the test to the project, and to the folder of the tests. */
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
    unsent: fields.filter(
      (field) => field.name !== 'email' && !field.relation && !registered.some(({ name }) => name === field.name),
    ),
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
