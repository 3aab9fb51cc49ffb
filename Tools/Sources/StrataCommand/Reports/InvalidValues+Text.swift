import StrataStudio

extension InvalidValues {
  /// Says on the error output what was written that is no value of its property, once with a count.
  func tell() {
    for entry in entries {
      let (values, are, they) =
        entry.count == 1
        ? ("value", "is", "it is written as it is")
        : ("values", "are", "they are written as they are")
      Output.writeError(
        "strata: \(PlainText.of(entry.title)): \(Figures.count(entry.count)) \(values) \(are) none of "
          + "type '\(entry.typeName)': \(they).\n")
    }
  }
}
