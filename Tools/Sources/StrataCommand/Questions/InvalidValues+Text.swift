import StrataStudio

extension InvalidValues {
  /// Warns of values that don't fit their property, once for each property, on the error output.
  func warn() {
    for entry in entries {
      let text =
        entry.count == 1
        ? "1 value isn't of type '\(entry.typeName)'. It is exported as it is."
        : "\(Figures.count(entry.count)) values aren't of type '\(entry.typeName)'. They are exported as they are."
      Output.writeError("strata: \(PlainText.of(entry.title)): \(text)\n")
    }
  }
}
