/// The tables and the model classes that the block has come to.
final class BlockTables {
  /// By the names in the file.
  @exclusivity(unchecked) var old: [String: MigrationTable] = [:]
  @exclusivity(unchecked) var new: [String: MigrationTable] = [:]
  /// The model classes that the block has used as types of rows.
  @exclusivity(unchecked) var typed: [TypedClassKey: TypedClass] = [:]
  /// What objects of these compare their stamps with.
  let typedClock = StampClock()

  func end() {
    old = [:]
    new = [:]
    typed = [:]
  }
}
