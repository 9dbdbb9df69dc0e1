import type { KyselyPlugin, PluginTransformResultArgs, QueryResult, RootOperationNode, UnknownRow } from 'kysely'
import type { DialectName } from '../url.ts'
import { readRow, type Table } from './table.ts'

/** A plugin that converts the cells of declared columns to model values: dates, booleans, JSON. */
export const rowReader = (table: Table, dialect: DialectName): KyselyPlugin => ({
  transformQuery: ({ node }): RootOperationNode => node,
  transformResult: async ({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> => ({
    ...result,
    rows: result.rows.map((row) => readRow(table, row, dialect)),
  }),
})
