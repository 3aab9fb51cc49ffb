import StrataStudio

/// The description of a command, from the help of ArgumentParser.
struct CommandDescription: Hashable {
  struct Argument: Hashable {
    /// `-o`, `--output`; empty for a positional argument.
    var names: [String]
    /// The name of the value; nil for a flag.
    var value: String?
    var help: String
    var isOptional: Bool
    var isRepeating: Bool
  }

  var name: String
  var abstract: String
  var discussion: String
  var arguments: [Argument]
  var subcommands: [CommandDescription]

  /// - Parameter json: The description that ArgumentParser writes for `--experimental-dump-help`.
  ///   The result is nil for other JSON.
  init?(_ json: JSONValue) {
    guard let name = json["commandName"]?.text else { return nil }
    self.name = name
    abstract = json["abstract"]?.text ?? ""
    discussion = json["discussion"]?.text ?? ""
    arguments = (json["arguments"]?.array ?? []).filter(Self.isShown).map(Argument.init)
    subcommands = (json["subcommands"]?.array ?? []).filter(Self.isShown)
      .compactMap(CommandDescription.init)
  }

  private static func isShown(_ json: JSONValue) -> Bool { json["shouldDisplay"]?.bool ?? true }
}

extension CommandDescription.Argument {
  fileprivate init(_ json: JSONValue) {
    let value = json["valueName"]?.text ?? "value"
    names = (json["names"]?.array ?? []).compactMap { item in
      item["name"]?.text.map { item["kind"]?.text == "short" ? "-\($0)" : "--\($0)" }
    }
    self.value = json["kind"]?.text == "flag" ? nil : value
    help = json["abstract"]?.text ?? ""
    isOptional = json["isOptional"]?.bool ?? false
    isRepeating = json["isRepeating"]?.bool ?? false
  }
}
