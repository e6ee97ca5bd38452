/** Columns of the system's tables whose values are unique together. */
export const uniqueTogether: { readonly [table: string]: readonly (readonly string[])[] } = {
  platform_fields: [['collection', 'field']],
  platform_relations: [['many_collection', 'many_field']],
  platform_translations: [['key', 'language']],
  platform_versions: [['collection', 'item', 'key']],
  platform_role_levels: [['role', 'collection', 'status']],
}
