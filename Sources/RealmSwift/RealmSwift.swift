/// Strata under the name of the module that programs of RealmSwift import.
///
/// ```swift
/// import RealmSwift
///
/// class Dog: RealmSwift.Object {
///   @Persisted var names: RealmSwift.List<String>
/// }
/// ```
/// All declarations are those of `Strata`. A program takes either this product of the package, or
/// `Strata` itself; both together are the same library.
@_exported public import Strata
