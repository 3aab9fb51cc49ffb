/// A model class that the library makes while the program runs, for a class that is known by its
/// schema only.
protocol MadeClass: ObjectBase {
  /// The class as the file has it.
  static var madeSchema: ObjectSchema { get }

  /// The wrappers of its properties, in their order, and where in an object each is, given where
  /// the storage of all of them is.
  static func wrappers(at start: Int) -> [(offset: Int, type: any AnyPersisted.Type)]
}
