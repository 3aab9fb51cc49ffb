/// The context that the converters of all classes of a file share.
struct ConversionContext {
  let choices: ConversionChoices
  let notes: ConversionNotes
  /// The objects of each class that links can lead to.
  var keys: [String: ObjectKeys] = [:]
  /// The classes of embedded objects.
  let embedded: Set<String>
}
