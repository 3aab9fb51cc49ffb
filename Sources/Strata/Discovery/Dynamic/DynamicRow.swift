/// The model classes of a file that the program has no class for: one for each number.
final class DynamicRow<Number: ClassNumber, Storage: DynamicStorage>: Object, MadeClass {
  private var storage = Storage()

  override class func className() -> String { madeSchema.className }
  override class func primaryKey() -> String? { madeSchema.primaryKey }
  override class func compoundIndexes() -> [[String]] { madeSchema.compoundIndexes }

  static var madeSchema: ObjectSchema { DynamicClassMaker.schema(of: Number.self) }

  static func wrappers(at start: Int) -> [(offset: Int, type: any AnyPersisted.Type)] {
    Storage.wrappers(at: start)
  }
}

/// The same for classes of embedded objects.
final class DynamicEmbeddedRow<Number: ClassNumber, Storage: DynamicStorage>: EmbeddedObject,
  MadeClass
{
  private var storage = Storage()

  override class func className() -> String { madeSchema.className }
  override class func compoundIndexes() -> [[String]] { madeSchema.compoundIndexes }

  static var madeSchema: ObjectSchema { DynamicClassMaker.schema(of: Number.self) }

  static func wrappers(at start: Int) -> [(offset: Int, type: any AnyPersisted.Type)] {
    Storage.wrappers(at: start)
  }
}
