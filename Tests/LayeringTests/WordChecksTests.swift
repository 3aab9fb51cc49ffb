import TestKit
import Testing

/// The checks of words and comments, with violations that they must find.
@Suite struct WordChecksTests {
  private func tree(_ files: KeyValuePairs<String, String>) -> SourceTree {
    SourceTree(files.map { SourceFile(path: $0.key, text: $0.value) })
  }

  @Test(arguments: [
    "/// What it is.\nstruct A {}", "/// Whose it is.\n///\n/// More.\n@frozen\npublic enum A {}",
    "  /// How far it is.\n  private indirect enum A {}",
  ])
  func `A type whose comment begins with a question is found`(text: String) {
    let found = CommentRule(widest: 100).violations(in: tree(["Sources/A.swift": text]))
    expectEqual(found, ["Sources/A.swift:1: the comment of 'A' begins with no noun"])
  }

  @Test(arguments: [
    "/// The thing.\nstruct A {}", "/// What it has.\nvar a = 1\nstruct A {}",
    "/// How it is done.\nclass func a() {}", "// What\n\nstruct A {}",
  ])
  func `Other comments may begin with any word`(text: String) {
    expectEqual(CommentRule(widest: 100).violations(in: tree(["Sources/A.swift": text])), [])
  }

  @Test(
    arguments: [
      ("/// What it is.\nlet a = 1", "1: the comment begins with 'What'"),
      ("// Has it written.\nlet a = 1", "1: the comment begins with 'Has'"),
      ("  /// The rows.\n  /// Like those of others.", "2: the comment has 'those of'"),
      ("/// Asks anew.", "1: the comment has 'anew'"),
      ("func noteRow() {}", "1: a name begins with 'func note'"),
      ("func note() {}", "1: a name begins with 'func note'"),
      ("  private static let mostRows = 1", "1: a name begins with 'let most'"),
    ])
  func `A habit that makes a reader solve a sentence is found`(text: String, message: String) {
    expectEqual(
      HabitRule().violations(in: tree(["Sources/A.swift": text])), ["Sources/A.swift:\(message)"])
  }

  @Test(arguments: [
    "/// The rows.\n/// What follows is the rest.", "let a = \"What\" // That of A",
    "func notify() {}",
    "// guarded by: nothing; nobody writes to it", "/// Canewood, and thoseof.", "let mostly = 1",
  ])
  func `Plain words, and texts of the program, aren't`(text: String) {
    expectEqual(HabitRule().violations(in: tree(["Sources/A.swift": text])), [])
  }

  @Test func `Wide comments are found, but for tables`() {
    let files = tree(["Tests/A.swift": "// 4567890\n  /// 1\n/// |890\nlet wide = 1234"])
    expectEqual(
      CommentRule(widest: 8).violations(in: files),
      ["Tests/A.swift:1: the comment is wider than 8 columns"])
  }

  @Test func `Each unchecked type says who guards it, and there are few`() {
    let files = tree([
      "Sources/A.swift": "class A: @unchecked Sendable {\n  // guarded by: the lock\n}",
      "Sources/B.swift": "class B: @unchecked Sendable {}", "Sources/C.swift": "class C {}",
      "Tests/D.swift": "class D: @unchecked Sendable {}",
    ])
    let missing =
      "Sources/B.swift: '@unchecked Sendable' needs '// guarded by: …' beside its members"
    expectEqual(SharingRule(most: 2).violations(in: files), [missing])
    expectEqual(
      SharingRule(most: 1).violations(in: files),
      [
        missing, "there are 2 types that are '@unchecked Sendable', more than 1",
      ])
  }

  @Test func `A type that uses a word must be in the row of the word, and be there`() {
    let rule = WordRule(
      table: """
        | word | meaning | types |
        |---|---|---|
        | *place* | a thread | `Place`, `PlaceBound`, `Gone` |
        | *row* | a line |  |
        """)
    let files = tree([
      "Sources/A.swift": "enum Place {}\nstruct PlaceBound {}\nstruct Placement {}",
      "Sources/B.swift": "struct Row {}\nclass NestedPlaces {}",
    ])
    expectEqual(
      rule.violations(in: files),
      [
        "Sources/B.swift: 'NestedPlaces' is named by 'place': if it means the same as in the table "
          + "of words, add it there",
        "the table of words names 'Gone' for 'place': there is none",
      ])
    expectEqual(WordRule(table: "").violations(in: files), ["the table of words names no type"])
  }
}
