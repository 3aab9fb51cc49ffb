/// The properties of a table that the model no longer has.
///
/// A migration block may still rename them to something else, so they stay until it is done.
struct Leftovers {
  /// All of them, in the order of the table.
  let all: [Property]

  private let columns: Set<String>

  init(from old: ObjectSchema, to new: ObjectSchema) {
    all = old.properties.filter { before in
      !new.properties.contains {
        $0.isStoredInColumn == before.isStoredInColumn
          && SQLName.same($0.columnName, before.columnName)
      }
    }
    columns = Set(new.properties.flatMap(\.columns).map { SQLName.folded($0.name) })
  }

  /// Those that cannot stay, because a new column has the name of one of theirs.
  ///
  /// It takes an `AnyRealmValue` `x`, with its helper `x_type`, and a property `x_type` in the
  /// other schema. The block still finds the values in the old objects.
  var inTheWay: [Property] { all.filter(isInTheWay) }

  /// Those that can stay.
  var remaining: [Property] { all.filter { !isInTheWay($0) } }

  private func isInTheWay(_ property: Property) -> Bool {
    property.columns.contains { columns.contains(SQLName.folded($0.name)) }
  }
}
