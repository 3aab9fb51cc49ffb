// `Schema`, `ObjectSchema`, `Property`, `PropertyType` and `ChangeSet` belong to the public API: one import
// is enough.
@_exported public import StrataQuery
@_exported public import StrataSchema
