import StrataRealmFile
import StrataSchema
import StrataStorage

/// The conversion of the elements of a collection of one class to rows of its table.
struct CollectionConverter {
  /// The position of the property in the class of the Realm file.
  private let column: Int
  private let kind: RealmCollectionKind
  private let value: ValueConverter
  let batch: RowBatch
  let table: CollectionTable

  init(
    _ table: CollectionTable, _ property: RealmProperty, at column: Int,
    _ context: ConversionContext, _ makeBatch: RowBatch.Maker
  ) throws {
    self.table = table
    self.column = column
    kind = property.collection ?? .list
    value = ValueConverter(
      property, of: table.className, isElement: true, parameter: kind == .set ? 2 : 3, context)
    batch = try makeBatch(table.name, table.columns.map(\.name), kind != .list)
  }

  /// Writes the elements of the present object of a cursor.
  ///
  /// - Returns: The number of elements in the old file, and of those the number that is left out.
  func convert(
    _ rows: RealmRows, owner: Int64
  ) throws -> (elements: Int, leftOut: Int) {
    guard try rows.hasElements(column) else { return (0, 0) }
    let elements = try rows.elements(column)
    let object = rows.key
    var count = 0
    var leftOut = 0
    while try elements.next() {
      batch.integer(owner, 1)
      switch kind {
      case .list: batch.integer(Int64(count - leftOut), 2)
      case .dictionary:
        let repaired = elements.repairedTexts
        try batch.text(elements.keyUTF8(), 2)
        if elements.repairedTexts > repaired { value.recordInvalidText(object) }
      case .set: break
      }
      count += 1
      guard case .leftOut = try value.convert(elements, of: object, into: batch) else {
        try batch.endRow()
        continue
      }
      leftOut += 1
    }
    return (count, leftOut)
  }
}
