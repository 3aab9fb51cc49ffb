/// Strata under the module name that programs for RealmSwift import.
///
/// ```swift
/// import RealmSwift
///
/// class Dog: RealmSwift.Object {
///   @Persisted var names: RealmSwift.List<String>
/// }
/// ```
/// All declarations are re-exported from `Strata`. A program depends either on this product or on
/// `Strata` itself; with both, it uses the same library.
@_exported public import Strata
