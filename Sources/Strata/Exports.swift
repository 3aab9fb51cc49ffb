// Users name types of these modules, too: one import is enough.
@_exported public import StrataQuery
@_exported public import StrataRealmImport
@_exported public import StrataSchema
@_exported public import StrataStorage
