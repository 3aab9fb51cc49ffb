import Foundation

/// A folder whose files must not import some modules.
struct ImportRule {
  var folder: String
  var modules: Set<String> = []
  var allowsTestable = true
  /// Folders and files inside of `folder` that may, each with the reason.
  var exceptions: [String: String] = [:]

  func violations(in tree: SourceTree) -> [String] {
    let files = tree.files.filter { $0.isInside(folder) }
    guard !files.isEmpty else { return ["\(folder): there are no files to check"] }
    var violations: [String] = []
    var unused = Set(exceptions.keys)
    for file in files {
      for item in file.code.imports {
        if item.isTestable, !allowsTestable {
          violations.append(file.violation("must not use '@testable'", line: item.line))
        }
        guard modules.contains(item.module) else { continue }
        if let exception = exceptions.keys.first(where: { file.path == $0 || file.isInside($0) }) {
          unused.remove(exception)
        } else {
          violations.append(file.violation("must not import '\(item.module)'", line: item.line))
        }
      }
    }
    return violations
      + unused.sorted().map { "\($0): is excepted from a rule that it keeps, end the exception" }
  }
}

/// Folders of one module, at every depth, of which each uses only those before it.
struct LayerRule {
  struct Exception: Hashable {
    var path: String
    var name: String
  }

  var module: String
  var folders: [String]
  /// Uses that are there on purpose, each with the reason.
  var exceptions: [Exception: String] = [:]

  /// Finds uses by name.
  ///
  /// A name belongs to the first folder that declares it at the start of a line. Names after a dot
  /// belong to another type, and names that the file declares itself belong to no folder.
  /// Extensions declare nothing, so an upper folder may extend the types of a lower one.
  func violations(in tree: SourceTree) -> [String] {
    let places = SourceTree.sources.map { "\($0)/\(module)" }
    let files = tree.files.filter { file in places.contains { file.isInside($0) } }
    guard !files.isEmpty else { return ["Sources/\(module): there are no files to check"] }
    var violations: [String] = []
    var layers: [Int] = []
    var owners: [String: Int] = [:]
    for file in files {
      let layer = layer(of: file)
      if layer == nil { violations.append(file.violation("its folder is no layer")) }
      layers.append(layer ?? 0)
      for name in file.code.declarations.visible {
        owners[name] = min(owners[name] ?? folders.count, layer ?? 0)
      }
    }
    var unused = Set(exceptions.keys)
    for (file, layer) in zip(files, layers) {
      let own = file.code.declarations.all
      for word in file.code.words {
        guard let owner = owners[word.text], owner > layer, !own.contains(word.text),
          word.qualifier == nil || word.qualifier == module
        else { continue }
        let exception = Exception(path: file.path, name: word.text)
        if exceptions[exception] != nil {
          unused.remove(exception)
        } else {
          violations.append(
            file.violation("uses '\(word.text)' of \(folders[owner])", line: word.line))
        }
      }
    }
    return violations
      + unused.map { "\($0.path): doesn't use '\($0.name)', end the exception" }.sorted()
  }

  /// The position of the file's folder: before all others for a file in no folder, but behind them
  /// for `main.swift`; nil for a file in a folder that is not listed.
  private func layer(of file: SourceFile) -> Int? {
    let path = file.path.split(separator: "/").drop { $0 != module }.dropFirst().dropLast()
    if path.isEmpty { return file.path.hasSuffix("/main.swift") ? folders.count : -1 }
    return folders.firstIndex(of: path.joined(separator: "/"))
  }
}

/// Folders in which nothing opens or closes files but the places that are excepted.
///
/// A process that closes any descriptor of a database gives up the locks that SQLite has on it, so
/// databases are opened by SQLite only.
struct DescriptorRule {
  var folders: [String]
  /// Files that may, each with the reason why it is no open database.
  var exceptions: [String: String] = [:]

  /// Words of lines that may match ``opensFile(_:)``.
  private static let opening: Set = [
    "open", "openat", "fopen", "freopen", "creat", "truncate", "FileHandle", "InputStream",
    "OutputStream", "copyItem", "replaceItem", "replaceItemAt", "createFile", "contentsOf",
    "contents", "contentsEqual",
  ]

  /// Whether a line calls what opens a file by its path, of the system or of Foundation.
  private static func opensFile(_ line: Substring) -> Bool {
    let calls =
      #/
      (?:^|[^\w.]) (?:(?:Foundation|Glibc|Darwin|Musl)\.)?
      (?:open|openat|fopen|freopen|creat|truncate)\((?!\))
      |(?:^|\W)(?:FileHandle|InputStream|OutputStream|copyItem|replaceItem|replaceItemAt|createFile)\W
      |(?:^|\W)(?:Data|NSData|String|NSString|XMLParser)\(contentsOf
      |(?:^|\W)(?:contents|contentsEqual)\(atPath
      /#
    return line.matches(of: calls).contains { match in
      let before = line[..<match.range.lowerBound]
      // A function or case of that name is declared.
      return !before.hasSuffix("func") && !before.hasSuffix("case")
    }
  }

  func violations(in tree: SourceTree) -> [String] {
    let files = tree.files.filter { file in folders.contains { file.isInside($0) } }
    guard !files.isEmpty else { return ["\(folders): there are no files to check"] }
    var unused = Set(exceptions.keys)
    var violations: [String] = []
    for file in files {
      let lines = file.code.text.split(separator: "\n", omittingEmptySubsequences: false)
      let numbers = Set(file.code.words.filter { Self.opening.contains($0.text) }.map(\.line))
      for number in numbers.sorted() where Self.opensFile(lines[number - 1]) {
        if exceptions[file.path] != nil {
          unused.remove(file.path)
        } else {
          violations.append(file.violation("opens a file without SQLite", line: number))
        }
      }
    }
    return violations
      + unused.sorted().map { "\($0): is excepted from a rule that it keeps, end the exception" }
  }
}

/// Code that only some files may have.
struct CodeRule {
  var folder: String
  var texts: [String]
  /// The message of a violation.
  var message: String
  /// Files and folders that may have it, each with the reason.
  var exceptions: [String: String] = [:]

  func violations(in tree: SourceTree) -> [String] {
    var unused = Set(exceptions.keys)
    var violations: [String] = []
    for file in tree.files where file.isInside(folder) && file.hasAny(of: texts) {
      let lines = file.code.text.split(separator: "\n", omittingEmptySubsequences: false)
      let exception = exceptions.keys.first { file.path == $0 || file.isInside($0) }
      for (index, line) in lines.enumerated() where texts.contains(where: { line.contains($0) }) {
        if let exception {
          unused.remove(exception)
        } else {
          violations.append(file.violation(message, line: index + 1))
        }
      }
    }
    return violations
      + unused.sorted().map { "\($0): is excepted from a rule that it keeps, end the exception" }
  }
}

/// The limits of every file.
struct FileRule {
  var longest: Int

  func violations(in tree: SourceTree) -> [String] {
    tree.files.flatMap { file in
      var violations: [String] = []
      if file.lineCount > longest {
        violations.append(file.violation("has \(file.lineCount) lines, more than \(longest)"))
      }
      guard file.hasAny(of: Self.privateFolders) else { return violations }
      let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
      for (index, line) in lines.enumerated() where mentionsPrivateFolder(line) {
        violations.append(
          file.violation("mentions a folder of one particular machine", line: index + 1))
      }
      return violations
    }
  }

  private static let privateFolders = ["/home/", "/Users/", "/root/", "/work"]

  /// Whether the line has the absolute path of something in a home or work folder.
  private func mentionsPrivateFolder(_ line: Substring) -> Bool {
    // In a URL with a host, or further down in a path, the name means something else.
    Self.privateFolders.contains { line.contains($0) }
      && line.contains(/(?:^|[^\w.\-])\/(?:home|Users|root|work|workspace)\/\w/)
  }
}

/// The rule for files in which each function that takes a lock is never inlined, and awaits
/// nothing. It covers files with an `await`, and all files of some folders, whose callers await.
///
/// The optimizer may keep the address of a thread-local variable across an `await`, and `Mutex`
/// uses one on Linux: code that locks on one thread would use the other thread's variable to
/// unlock.
struct LockRule {
  /// The folders.
  var whole: [String] = []

  func violations(in tree: SourceTree) -> [String] {
    let files = tree.files.filter(\.isSource)
    guard !files.isEmpty else { return ["Sources: there are no files to check"] }
    return files.filter { $0.hasAny(of: ["withLock"]) }
      .flatMap { file in
        let isWhole = whole.contains { file.isInside($0) }
        guard isWhole || file.code.words.contains(where: { $0.text == "await" }) else {
          return [String]()
        }
        return file.code.functions.filter { $0.words.contains("withLock") }.flatMap { function in
          var found: [String] = []
          if function.words.contains("await") {
            found.append(
              file.violation("takes a lock in a function that awaits", line: function.line))
          }
          if !function.isNeverInlined {
            found.append(
              file.violation(
                "takes a lock in a function that isn't '@inline(never)'", line: function.line))
          }
          return found
        }
      }
  }
}
