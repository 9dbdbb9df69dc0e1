import type { Definition, Meta } from './definition.ts'

/** The facts about a schema, from `meta`, `describe` and its parameters. */
export const metaOf = ({ meta, description, params }: Definition): Meta | undefined => {
  const told = description ?? params?.description
  return told === undefined ? meta : { ...meta, description: told }
}
