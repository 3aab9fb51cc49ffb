/// A manual page for `man`, made from the help of a command.
struct ManualPage: Hashable {
  /// Such as `strata-info.1`.
  var fileName: String
  var text: String

  /// The pages of a command and of each of its subcommands.
  static func all(_ root: CommandDescription, version: String) -> [ManualPage] {
    [ManualPage(root, path: [root.name], version: version)]
      // These pages replace `help`.
      + root.subcommands.filter { $0.name != "help" }.map {
        ManualPage($0, path: [root.name, $0.name], version: version)
      }
  }

  private init(_ command: CommandDescription, path: [String], version: String) {
    let title = path.joined(separator: "-")
    fileName = "\(title).1"
    var lines = [
      ".TH \"\(Self.escaped(title.uppercased()))\" 1 \"\" \"Strata \(Self.escaped(version))\"",
      ".SH NAME", "\(Self.escaped(title)) \\- \(Self.escaped(command.abstract))",
      ".SH SYNOPSIS", Self.synopsis(command, path),
    ]
    if !command.discussion.isEmpty {
      lines += [".SH DESCRIPTION"] + Self.paragraphs(command.discussion)
    }
    if !command.arguments.isEmpty {
      lines += [".SH OPTIONS"] + command.arguments.flatMap(Self.lines)
    }
    if !command.subcommands.isEmpty {
      lines.append(".SH COMMANDS")
      for item in command.subcommands {
        lines += [
          ".TP", ".B \(Self.escaped("\(title)-\(item.name)"))(1)", Self.escaped(item.abstract),
        ]
      }
    }
    text = lines.joined(separator: "\n") + "\n"
  }

  private static func synopsis(_ command: CommandDescription, _ path: [String]) -> String {
    let parts = command.arguments.map { argument -> String in
      let name = argument.names.last.map { "\\fB\(escaped($0))\\fR" }
      let value = argument.value.map { "\\fI\(escaped($0))\\fR" }
      let text = [name, value].compactMap(\.self).joined(separator: " ")
      let repeated = argument.isRepeating ? text + " ..." : text
      return argument.isOptional ? "[\(repeated)]" : repeated
    }
    let name = "\\fB\(escaped(path.joined(separator: " ")))\\fR"
    let end = command.subcommands.isEmpty ? [] : ["\\fIcommand\\fR"]
    return ([name] + parts + end).joined(separator: " ")
  }

  private static func lines(_ argument: CommandDescription.Argument) -> [String] {
    let names = argument.names.map { "\\fB\(escaped($0))\\fR" }.joined(separator: ", ")
    let value = argument.value.map { "\\fI\(escaped($0))\\fR" } ?? ""
    return [
      ".TP", [names, value].filter { !$0.isEmpty }.joined(separator: " "), line(argument.help),
    ]
  }

  /// Text in paragraphs. Indented lines are examples and stay as they are.
  private static func paragraphs(_ text: String) -> [String] {
    var lines: [String] = []
    var isExample = false
    for part in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let isIndented = part.hasPrefix("  ")
      if isIndented != isExample {
        lines.append(isIndented ? ".nf" : ".fi")
        isExample = isIndented
      }
      lines.append(part.isEmpty ? ".PP" : line(String(part)))
    }
    return lines + (isExample ? [".fi"] : [])
  }

  /// A line of text. A period or an apostrophe at the start is escaped: it would begin a troff
  /// request.
  private static func line(_ text: String) -> String {
    let escaped = escaped(text)
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }

  private static let escapes: [Character: String] = ["\\": "\\e", "-": "\\-", "\"": "\\(dq"]

  private static func escaped(_ text: String) -> String {
    text.map { escapes[$0] ?? String($0) }.joined()
  }
}
