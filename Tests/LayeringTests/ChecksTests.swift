import TestKit
import Testing

/// The checks themselves, with violations that they must find.
@Suite struct ChecksTests {
  private func tree(_ files: KeyValuePairs<String, String>) -> SourceTree {
    SourceTree(files.map { SourceFile(path: $0.key, text: $0.value) })
  }

  @Test(arguments: [
    "import GRDB", "  import GRDB", "public import GRDB", "package import GRDBSQLite",
    "@preconcurrency import GRDB", "@_spi(Some) @testable internal import GRDB",
    "import struct GRDB.Row", "import Foundation; import GRDB",
  ])
  func `An import is seen, however it is written`(text: String) {
    let rule = ImportRule(folder: "Sources/A", modules: ["GRDB", "GRDBSQLite"])
    let found = rule.violations(in: tree(["Sources/A/B.swift": "import Testing\n\(text)\n"]))
    expectEqual(found.count, 1)
    expectEqual(found.first?.hasPrefix("Sources/A/B.swift:2: must not import 'GRDB"), true)
  }

  @Test(arguments: [
    "// import GRDB", "/*\nimport GRDB\n*/", "let text = \"\"\"\n  import GRDB\n  \"\"\"",
    "import GRDBQuery", "#if canImport(GRDB)\n#endif", "/// import GRDB",
  ])
  func `Text that only looks like an import is not reported`(text: String) {
    let rule = ImportRule(folder: "Sources/A", modules: ["GRDB"])
    expectEqual(rule.violations(in: tree(["Sources/A/B.swift": text])), [])
  }

  @Test func `An exception covers its own files only, and must be needed`() {
    let rule = ImportRule(
      folder: "Sources/A", modules: ["GRDB"],
      exceptions: ["Sources/A/S": "", "Sources/A/T.swift": "", "Sources/A/U.swift": ""])
    let found = rule.violations(
      in: tree([
        "Sources/A/S/B.swift": "import GRDB", "Sources/A/T.swift": "import GRDB",
        "Sources/A/SB.swift": "import GRDB", "Sources/A/U.swift": "",
      ]))
    expectEqual(
      found,
      [
        "Sources/A/SB.swift:1: must not import 'GRDB'",
        "Sources/A/U.swift: is excepted from a rule that it keeps, end the exception",
      ])
  }

  @Test func `Testable imports and missing folders are reported`() {
    let rule = ImportRule(folder: "Tests/A", allowsTestable: false)
    expectEqual(
      rule.violations(in: tree(["Tests/A/B.swift": "@testable import Strata"])),
      ["Tests/A/B.swift:1: must not use '@testable'"])
    expectEqual(rule.violations(in: tree([:])), ["Tests/A: there are no files to check"])
  }

  @Test(arguments: [
    "let d = open(path, O_RDONLY)", "if let f = fopen(path, \"r\") {}", "x = Foundation.open(p, 0)",
    "let d = try Data(contentsOf: url)", "let h = FileHandle(forReadingAtPath: p)",
    "try FileManager.default.copyItem(at: a, to: b)", "_ = FileManager.default.contents(atPath: p)",
    "creat(p, 0o600)", "let s = try String(contentsOf: url)",
  ])
  func `A file that is opened without SQLite is found`(text: String) {
    let rule = DescriptorRule(folders: ["Sources/A"])
    expectEqual(
      rule.violations(in: tree(["Sources/A/B.swift": "let a = 1\n\(text)"])),
      ["Sources/A/B.swift:2: opens a file without SQLite"])
    let excepted = DescriptorRule(folders: ["Sources/A"], exceptions: ["Sources/A/B.swift": ""])
    expectEqual(excepted.violations(in: tree(["Sources/A/B.swift": text])), [])
  }

  @Test(arguments: [
    "func open(_ a: Int) {}", "store.open(request)", "try StoreOpener(request).open()",
    "// open(path)", "case open(Realm)", "let a = reopen(b)", "let t = \"open(path)\"",
  ])
  func `Code that only looks like opening a file is not reported`(text: String) {
    let rule = DescriptorRule(folders: ["Sources/A"])
    expectEqual(rule.violations(in: tree(["Sources/A/B.swift": text])), [])
  }

  @Test func `An exception for opening files must be needed`() {
    let rule = DescriptorRule(folders: ["Sources/A"], exceptions: ["Sources/A/B.swift": ""])
    expectEqual(
      rule.violations(in: tree(["Sources/A/B.swift": "let a = 1"])),
      ["Sources/A/B.swift: is excepted from a rule that it keeps, end the exception"])
  }

  private let layers = LayerRule(module: "M", folders: ["Low", "High"])
  private let high = """
    public struct Upper {
      struct Inner {}
    }
    @frozen
    package final class Other {}
    private enum Hidden {}
    extension String {}
    """

  @Test(arguments: [
    "let value = Upper()", "func f(_: [Other]?) {}", "extension Upper {}", "let x = M.Upper.self",
    "let text = \"\\(Upper.name)\"", "let text = \"\"\"\n\\(a(\"b\") + Upper.name) //\n\"\"\"",
    "let a = \"\" /* \" */; let b = Other.self", "let list = [#\"\\\"#, Upper.name]",
  ])
  func `A use of an upper layer is found`(text: String) {
    let found = layers.violations(
      in: tree(["Sources/M/Low/A.swift": text, "Sources/M/High/B.swift": high]))
    expectEqual(found.count, 1)
    expectEqual(found.first?.contains(": uses '"), true)
  }

  @Test(arguments: [
    "// Upper", "/* Upper /* nested */ Other */", "let text = \"Upper\"", "let a = UpperCase()",
    "let a = value.Upper", "let a = value\n  .Upper()", "struct Other {}\nlet a = Other()",
    "let a = Hidden()", "let a = Inner()", "let a = String()", "let a = #\"\\(Upper)\"#",
    "struct Own {\n  private enum Upper {}\n  let a: Upper\n}",
  ])
  func `Mentions, and other things of the same name, are not uses`(text: String) {
    let found = layers.violations(
      in: tree(["Sources/M/Low/A.swift": text, "Sources/M/High/B.swift": high]))
    expectEqual(found, [])
  }

  @Test func `Only upward uses are violations, and only in layers that are known`() {
    let files = tree([
      "Sources/M/Low/A.swift": "struct Lower {}", "Sources/M/High/B.swift": "let a = Lower()",
      "Sources/M/Odd/C.swift": "", "Sources/M/D.swift": "let a = Lower()",
    ])
    expectEqual(
      layers.violations(in: files),
      [
        "Sources/M/Odd/C.swift: its folder is no layer", "Sources/M/D.swift:1: uses 'Lower' of Low",
      ])
  }

  @Test func `A listed use is allowed while it is there`() {
    var rule = layers
    rule.exceptions[.init(path: "Sources/M/Low/A.swift", name: "Upper")] = "a reason"
    let used = tree(["Sources/M/Low/A.swift": "let a = Upper()", "Sources/M/High/B.swift": high])
    expectEqual(rule.violations(in: used), [])
    let unused = tree(["Sources/M/Low/A.swift": "", "Sources/M/High/B.swift": high])
    expectEqual(
      rule.violations(in: unused), ["Sources/M/Low/A.swift: doesn't use 'Upper', end the exception"]
    )
  }

  @Test func `Long files and paths of one machine are reported`() {
    let home = "/" + "home"
    let files = tree([
      "Sources/A.swift": "a\nb\nc\n", "Sources/B.swift": "// \(home)/ada/notes\n",
      "Sources/C.c": "\"/\("Users")/ada\"",
      "Sources/D.swift": "a\nb\n// https://example.org\(home)/ada a\(home)/b",
    ])
    expectEqual(
      FileRule(longest: 2).violations(in: files),
      [
        "Sources/A.swift: has 3 lines, more than 2",
        "Sources/B.swift:1: mentions a folder of one particular machine",
        "Sources/C.c:1: mentions a folder of one particular machine",
      ])
  }

  @Test func `Code that only some files may have is found, and needless exceptions`() {
    let rule = CodeRule(
      folder: "Sources/A", texts: ["Set<String>"], message: "has it",
      exceptions: ["Sources/A/S": "", "Sources/A/T.swift": "", "Sources/A/U.swift": ""])
    let found = rule.violations(
      in: tree([
        "Sources/A/B.swift": "// Set<String>\nlet a: Set<String>",
        "Sources/B/C.swift": "Set<String>",
        "Sources/A/S/B.swift": "Set<String>", "Sources/A/T.swift": "Set<String>",
        "Sources/A/U.swift": "Set<Int>",
      ]))
    expectEqual(
      found,
      [
        "Sources/A/B.swift:2: has it",
        "Sources/A/U.swift: is excepted from a rule that it keeps, end the exception",
      ])
  }

  private static let taking = "takes a lock in a function that"

  @Test(arguments: [
    "func a() async {\n  lock.withLock { $0 = 1 }\n  await b()\n}",
    "func a() {\n  Task {\n    await b()\n    lock.withLock { $0 = 1 }\n  }\n}",
    "func a() {\n  lock.withLock { $0 = Task { await b() } }\n}",
    "var a: Int {\n  get async {\n    await b()\n    return lock.withLock { $0 }\n  }\n}",
    "init() async { if await b() { lock.withLock { $0 = 1 } } }",
  ])
  func `A lock in a function that awaits is found`(text: String) {
    let never = LockRule().violations(in: tree(["Sources/A.swift": "@inline(never) \(text)"]))
    expectEqual(never, ["Sources/A.swift:1: \(Self.taking) awaits"])
    let always = LockRule().violations(in: tree(["Sources/A.swift": text]))
    expectEqual(
      always,
      [
        "Sources/A.swift:1: \(Self.taking) awaits",
        "Sources/A.swift:1: \(Self.taking) isn't '@inline(never)'",
      ])
  }

  @Test func `A lock that may be inlined where a file awaits is found`() {
    let text = """
      struct A {
        let lock = Mutex(0)
        @inline(never) var one: Int { lock.withLock { $0 } }
        var other: Int { lock.withLock { $0 } }
        @inline(never) func set() {
          if one == 0 { lock.withLock { $0 = 1 } }
        }
        let closure = { lock.withLock { $0 } }
        func b() async {
          func inner() { lock.withLock { $0 = 1 } }
          await c()
        }
      }
      """
    expectEqual(
      LockRule().violations(in: tree(["Sources/A.swift": text])),
      [
        "Sources/A.swift:4: \(Self.taking) isn't '@inline(never)'",
        "Sources/A.swift:10: \(Self.taking) isn't '@inline(never)'",
      ])
  }

  @Test(arguments: [
    "func a() { lock.withLock { $0 = 1 } }", "func a() async { await b() }",
    "/// await\nfunc a() { lock.withLock { print(\"await\") } }",
  ])
  func `What locks or awaits alone is no violation`(text: String) {
    expectEqual(LockRule().violations(in: tree(["Sources/A.swift": text])), [])
  }

  @Test func `In a whole folder no lock may be inlined`() {
    let text = "func a() { lock.withLock { $0 = 1 } }"
    expectEqual(
      LockRule(whole: ["Sources/A"]).violations(
        in: tree(["Sources/A/B.swift": text, "Sources/C.swift": text])),
      ["Sources/A/B.swift:1: \(Self.taking) isn't '@inline(never)'"])
  }
}
