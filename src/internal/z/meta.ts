import type { Definition, Meta } from './definition.ts'

/** The facts about a schema, from `meta`, `describe` and its parameters. */
export const metaOf = ({ meta, description, params }: Definition): Meta | undefined => {
  const text = description ?? params?.description
  return text === undefined ? meta : { ...meta, description: text }
}
