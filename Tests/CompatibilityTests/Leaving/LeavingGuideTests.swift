import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// The code of docs/leaving-realm.md: it equals `LeavingGuide.swift`, and works as the text says.
@Suite struct LeavingGuideTests {
  private static let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.here.appendingPathComponent(path), encoding: .utf8)
  }

  @Test func `The guide shows what is compiled`() throws {
    try CompiledGuide("leaving-realm.md", "LeavingGuide.swift").expectCompiled(atLeast: 8)
  }

  @Test func `The guide has each kind of finding and each choice`() throws {
    let guide = try text("../../../docs/leaving-realm.md")
    for kind in ConversionFinding.Kind.allCases {
      expectTrue(guide.contains("`\(kind.rawValue)`"), "\(kind)")
    }
    let choices = [
      ".nan(.asNil)", ".nan(.asNilOrZero)", ".dates(.asNil)", ".dates(.clamped)",
      ".invalidText(.repaired)", ".danglingLinks(.asNil)", ".nestedCollections(.asNil)",
      ".asymmetricClasses(.leftOut)", ".bookkeepingClasses(.leftOut)",
    ]
    for choice in choices { expectTrue(guide.contains("`\(choice)`"), "\(choice)") }
  }

  private func withFiles(_ body: (_ old: URL, _ new: URL) async throws -> Void) async throws {
    let file = try TestFile()
    let old = file.folder.appendingPathComponent("old.realm")
    try FileManager.default.copyItem(
      at: Self.here.appendingPathComponent("../../../Fixtures/Dogs-v3.realm"), to: old)
    try await body(old, file.folder.appendingPathComponent("new.sqlite"))
  }

  @Test func `An app opens its old file, and can go back`() async throws {
    try await withFiles { old, new in
      let configuration = LeavingGuide.appConfiguration(old, new)
      do {
        let realm = try Realm(configuration: configuration)
        expectEqual(
          realm.objects(LeavingGuide.Person.self).map(\.fullName), (0..<5).map { "person \($0)" })
        try realm.write { realm.deleteAll() }
      }
      try LeavingGuide.rollBack(configuration)
      try expectEqual(Realm(configuration: configuration).objects(LeavingGuide.Dog.self).count, 11)
    }
  }

  @Test func `A server converts what it receives`() async throws {
    try await withFiles { old, new in
      try await expectTrue(LeavingGuide.receive(old, for: LeavingGuide.appConfiguration(old, new)))
      try Data("no Realm file at all, but long enough".utf8).write(to: old)
      let other = new.appendingPathExtension("other")
      try await expectFalse(
        LeavingGuide.receive(old, for: LeavingGuide.appConfiguration(old, other)))
      expectFalse(FileManager.default.fileExists(atPath: other.path))
    }
  }

  @Test func `A file becomes one without a program`() async throws {
    try await withFiles { old, new in
      try expectTrue(LeavingGuide.lookAhead(old).isEmpty)
      try LeavingGuide.withoutClasses(old, new)
      try expectEqual(schemaVersionAtURL(new), 3)
      #expect(throws: Never.self) { try LeavingGuide.look(old) }
    }
  }
}
