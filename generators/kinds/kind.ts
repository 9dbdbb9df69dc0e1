import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { answerSchema } from '../answer-schema.ts'
import type { Field, Relation } from '../fields.ts'
import { type Name, toPascal } from '../names.ts'
import { renderTemplate } from '../render.ts'
import type { PlannedFile } from '../write.ts'

/** The input of a kind. */
export interface KindInput {
  /** Folder of the project, absolute. */
  readonly root: string
  readonly name: Name
  /** Columns of the command line, or those of the existing model. */
  readonly fields: readonly Field[]
  /** Columns of the command line only. */
  readonly typed: readonly Field[]
  /** Records of other models that refer to this one. */
  readonly many: readonly Relation[]
  /** True if the model has `createdAt` and `updatedAt`. */
  readonly timestamps: boolean
  /** Switches of the command line that were set. */
  readonly flags: ReadonlySet<string>
  /** `--table`, or the plural of the name. */
  readonly table: string
  /** `--id` of the validator, else the type of its model's key, else uuid. */
  readonly id: 'uuid' | 'int'
  /** Time in the name of a migration. */
  readonly now: Date
}

/** Something that can be generated. */
export interface Kind {
  readonly name: KindName
  /** Word that is appended to class names, unless the name already ends with it. */
  readonly suffix: string
  readonly describe: string
  /** Names of the templates that it may use. A project's file of that name replaces the bundled one. */
  readonly templates: readonly string[]
  /** Names of its options. */
  readonly options: readonly string[]
  readonly plan: (input: KindInput) => readonly PlannedFile[]
  /** Remaining steps for the user, in lines; not printed if the first file was kept. */
  readonly advise?: (input: KindInput) => readonly string[]
}

export type KindName =
  | 'model'
  | 'controller'
  | 'middleware'
  | 'migration'
  | 'validator'
  | 'service'
  | 'factory'
  | 'seed'
  | 'test'
  | 'provider'
  | 'auth'

/** Variables of every template, including custom ones. They are documented in docs/cli.md, and stable. */
export interface CommonVariables {
  /** `BlogPost` */
  readonly name: string
  /** `blogPost` */
  readonly variable: string
  /** `blogPosts` */
  readonly plural: string
  /** `blog_post` */
  readonly snake: string
  /** `blog-post` */
  readonly kebab: string
  /** `Blog post`, for the beginning of a sentence. */
  readonly title: string
  /** `a blog post`, in the middle of a sentence. */
  readonly article: string
  /** `blog posts`, in the middle of a sentence. */
  readonly label: string
  /** `['admin']` of `admin/BlogPost`. */
  readonly folders: readonly string[]
  /** `/admin/blog-posts` */
  readonly path: string
  /** `blog_posts`, or the value of `--table`. */
  readonly table: string
  readonly fields: readonly Field[]
  /** Relative path from a file of this name to `src/app`: `../`, and one more for each folder. */
  readonly up: string
  /** Folders as the beginning of a path: `admin/`, or empty. */
  readonly inside: string
}

/** The variables of one run. */
export const commonVariables = ({ name, fields, table }: KindInput): CommonVariables => ({
  name: name.pascal,
  variable: name.camel,
  plural: name.plural,
  snake: name.snake,
  kebab: name.kebab,
  title: name.title,
  article: `${AN.test(name.title) ? 'an' : 'a'} ${name.title.toLowerCase()}`,
  label: name.table.replaceAll('_', ' '),
  folders: name.folders,
  path: name.path,
  table,
  fields,
  up: '../'.repeat(name.folders.length + 1),
  inside: name.folders.map((folder) => `${folder}/`).join(''),
})

/** Query parameters that pagination uses. */
export const PAGE_NAMES: readonly string[] = ['page', 'limit', 'sort']

/** The columns that a list may be sorted and filtered by. */
export interface ListVariables {
  /** `listBlogPostsSchema` */
  readonly listSchema: string
  readonly sortable: readonly string[]
  readonly filters: readonly Field[]
  /** What the schema of a list imports from `src/app/page.ts`: `['pageFields', 'sortBy']`. */
  readonly pageParts: readonly string[]
}

/** Sortable columns, which are small and have an order, and columns that can be filtered by a value. */
export const listVariables = (input: KindInput): ListVariables => {
  const { name, fields, timestamps } = input
  const filters = fields.filter((field) => field.filter !== undefined && !PAGE_NAMES.includes(field.name))
  const helpers = ['flag', 'whole'].filter((helper) => filters.some(({ filter }) => filter === helper))
  return {
    filters,
    pageParts: [...helpers, 'pageFields', 'sortBy'].sort(),
    listSchema: `list${name.plural.slice(0, 1).toUpperCase()}${name.plural.slice(1)}Schema`,
    sortable: [
      'id',
      ...fields.filter(({ type }) => type !== 'json' && type !== 'text').map((field) => field.name),
      ...(timestamps ? ['createdAt', 'updatedAt'] : []),
    ],
  }
}

/** Name of the schema of a record that replaces another: `replaceBlogPostSchema` with `--lock`. */
export const replaceSchema = ({ name, flags }: KindInput): string =>
  `${flags.has('lock') ? 'replace' : 'create'}${name.pascal}Schema`

/** The JSON of a record in responses. */
export interface AnswerVariables {
  /** `AdminBlogPost`: its name in the document of the API. */
  readonly schemaName: string
  /** `title: z.string()`: the properties of its JSON, in the order of the model. */
  readonly answers: readonly string[]
}

/** The properties of a model's JSON. */
export const answerVariables = ({ name, fields, timestamps, flags }: KindInput): AnswerVariables => ({
  schemaName: toPascal([...name.folders.flatMap((folder) => folder.split('-')), name.pascal]),
  answers: [
    'id: z.number().int()',
    ...fields.map((field) => `${field.name}: ${answerSchema(field)}`),
    ...(flags.has('lock') ? ['version: z.number().int()'] : []),
    ...(flags.has('soft-delete') ? ['deletedAt: z.string().datetime().nullish()'] : []),
    ...(timestamps ? ['createdAt: z.string().datetime()', 'updatedAt: z.string().datetime()'] : []),
  ],
})

/** A shared file, which is generated with the first kind that needs it. */
export const sharedFile = (root: string, path: string, template: string): readonly PlannedFile[] =>
  existsSync(join(root, path)) ? [] : [{ path, contents: renderTemplate(root, template, {}) }]

/** The pagination helper that all lists of a project share. */
export const pageHelper = ({ root }: KindInput): readonly PlannedFile[] => sharedFile(root, 'src/app/page.ts', 'page')

/** The helper that gives tests their database. */
export const testDatabase = ({ root }: KindInput): readonly PlannedFile[] =>
  sharedFile(root, 'test/database.ts', 'test-database')

/** Words that begin with a vowel sound. `user`, `unit` and `euro` do not. */
const AN = /^(?:[aio]|e(?!u)|u(?!s[aeiou]|ni|tens|rl))/i
