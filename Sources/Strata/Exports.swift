// Exports the modules with types that users name, so that one import is enough.
@_exported public import StrataQuery
@_exported public import StrataRealmImport
@_exported public import StrataSchema
@_exported public import StrataStorage
