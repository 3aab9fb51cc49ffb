/// What the converters of all classes of a file share.
struct ConversionContext {
  package let choices: ConversionChoices
  package let notes: ConversionNotes
  /// The objects of each class that links can lead to.
  package var keys: [String: ObjectKeys] = [:]
  /// The classes of embedded objects.
  package let embedded: Set<String>
}
