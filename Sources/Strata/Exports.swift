// `Schema`, `ObjectSchema`, `Property` and `PropertyType` belong to the public API: one import is
// enough.
@_exported public import StrataSchema
