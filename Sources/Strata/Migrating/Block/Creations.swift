/// The objects that a block has created of other objects.
final class Creations {
  /// What is creating objects at this moment.
  var creator: MigrationCreator?
  /// The rows of objects in memory that the block made part of the file.
  var promoted: [ObjectBase: Int64] = [:]
}
