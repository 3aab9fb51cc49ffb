import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

/// A class `Post_comments` beside a collection `Post.comments`, as App Services names the classes
/// of embedded properties.
@Suite("Classes that are named as collections")
struct ClassesNamedAsCollectionsTests {
  private enum Both {
    class Post: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var comments: List<Post_comments>
      @Persisted var tags: MutableSet<String>
    }
    class Post_comments: EmbeddedObject {
      @Persisted var text = ""
      @Persisted(indexed: true) var value = 0
      @Persisted var votes: Map<String, Int>
    }
    static let types: [ObjectBase.Type] = [Post.self, Post_comments.self]
  }

  /// The class came to a program that had the collection.
  private enum ListFirst {
    class Post: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var comments: List<String>
      @Persisted var tags: MutableSet<String>
    }
  }

  private enum ThenClass {
    class Post: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var comments: List<String>
      @Persisted var tags: MutableSet<String>
    }
    class Post_comments: Object {
      @Persisted var text = "new"
    }
    static let types: [ObjectBase.Type] = [Post.self, Post_comments.self]
  }

  private enum ClassFirst {
    class Post: Object {
      @Persisted(primaryKey: true) var id = 0
    }
    class Post_comments: Object {
      @Persisted var text = "old"
    }
    static let types: [ObjectBase.Type] = [Post.self, Post_comments.self]
  }

  private enum Renamed {
    class Article: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var comments: List<String>
      @Persisted var tags: MutableSet<String>
    }
    class Article_comments: Object {
      @Persisted var text = "of an article"
    }
    static let types: [ObjectBase.Type] = [Article.self, Article_comments.self]
  }

  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func tables() throws -> [String] {
    try folder.texts(
      """
      SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'strata_*'
      AND name NOT GLOB 'grdb_*' AND name NOT GLOB 'sqlite_*' ORDER BY name
      """)
  }

  private func makeList() throws {
    try folder.write([ListFirst.Post.self]) { realm in
      realm.create(
        ListFirst.Post.self, value: ["id": 1, "comments": ["a", "b"], "tags": ["x"]])
    }
  }

  @Test func `Both work in one program, through a life of openings`() throws {
    for round in 0..<3 {
      try folder.open(Both.types) { realm in
        try realm.write {
          let post = Both.Post(value: ["id": round])
          let comment = Both.Post_comments(value: ["text": "hi", "value": round])
          comment.votes["up"] = round
          post.comments.append(comment)
          post.comments.append(Both.Post_comments(value: ["text": "there", "value": 9]))
          post.tags.insert("t")
          realm.add(post)
        }
        expectEqual(realm.objects(Both.Post.self).count, round + 1)
        let found = realm.objects(Both.Post.self).where { $0.comments.value == round }
        expectEqual(found.map(\.id), [round])
        expectEqual(realm.objects(Both.Post.self).filter("comments.@count == 2").count, round + 1)
        expectEqual(
          realm.objects(Both.Post.self).filter("ANY comments.votes.@allKeys == 'up'").count,
          round + 1)
      }
    }
    try folder.open(Both.types) { realm in
      let post = try #require(realm.object(ofType: Both.Post.self, forPrimaryKey: 1))
      try realm.write { post.comments.remove(at: 0) }
      expectEqual(post.comments.map(\.text), ["there"])
      try realm.write { realm.delete(post) }
    }
    try expectEqual(
      tables(),
      [
        "Post", "Post_comments", "Post_comments_elements", "Post_comments_votes", "Post_tags",
      ])
    // Embedded objects went with their post.
    try expectEqual(folder.count(of: "Post_comments"), 4)
    try expectEqual(Realm.problems(for: folder.configuration(Both.types)), [])
  }

  @Test func `Observers of the collection hear of its elements`() throws {
    try folder.open(Both.types) { realm in
      try realm.write { realm.create(Both.Post.self, value: ["id": 1]) }
      let post = try #require(realm.objects(Both.Post.self).first)
      var insertions: [[Int]] = []
      let token = post.comments.observe { change in
        if case .update(_, _, let inserted, _) = change { insertions.append(inserted) }
      }
      realm.refresh()
      try realm.write { post.comments.append(Both.Post_comments(value: ["text": "a"])) }
      realm.refresh()
      token.invalidate()
      expectEqual(insertions, [[0]])
    }
  }

  @Test func `A class that comes later at the same version renames the table of the collection`()
    throws
  {
    try makeList()
    try expectEqual(tables(), ["Post", "Post_comments", "Post_tags"])
    for round in 1...2 {
      try folder.open(ThenClass.types) { realm in
        expectEqual(
          realm.objects(ThenClass.Post.self).first.map { Array($0.comments) }, ["a", "b"])
        try realm.write { realm.create(ThenClass.Post_comments.self) }
        expectEqual(realm.objects(ThenClass.Post_comments.self).count, round)
      }
    }
    try expectEqual(
      tables(), ["Post", "Post_comments", "Post_comments_elements", "Post_tags"])
    // The earlier program goes on with the file.
    try folder.open([ListFirst.Post.self]) { realm in
      let post = try #require(realm.objects(ListFirst.Post.self).first)
      try realm.write { post.comments.append("c") }
      expectEqual(Array(post.comments), ["a", "b", "c"])
    }
    try expectEqual(Realm.problems(for: folder.configuration(ThenClass.types)), [])
  }

  @Test func `A program that has the file open is told when another process takes the name`() throws
  {
    try makeList()
    let realm = try Realm(configuration: folder.configuration([ListFirst.Post.self]))
    let post = try #require(realm.objects(ListFirst.Post.self).first)
    try folder.sql { db in
      try db.execute(
        sql: """
          ALTER TABLE Post_comments RENAME TO Post_comments_elements;
          CREATE TABLE Post_comments (_id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
          UPDATE strata_schema_version SET schema = replace(
            schema, '"name":"comments",', '"name":"comments","table":"Post_comments_elements",');
          """)
      expectEqual(db.changesCount, 1)
    }
    let error = thrownError { try realm.write { post.comments.append("c") } }
    expectEqual(
      error?.message,
      "Unsupported schema changes were made by another client or process: it added a "
        + "class whose name the table of a collection had. Close the realm and open it again.")
  }

  @Test func `A block sees the old elements, and has the new class`() throws {
    try makeList()
    try folder.open(Both.types, version: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Post") { old, new in
        let texts = Array(old!["comments"] as! List<String>)
        expectEqual(texts, ["a", "b"])
        new!["comments"] = texts.map { ["text": $0] }
      }
    } _: { realm in
      let post = try #require(realm.objects(Both.Post.self).first)
      expectEqual(post.comments.map(\.text), ["a", "b"])
      expectEqual(Array(post.tags), ["x"])
    }
    try expectEqual(
      tables(),
      [
        "Post", "Post_comments", "Post_comments_elements", "Post_comments_votes", "Post_tags",
      ])
  }

  @Test func `A migration that fails leaves the names as they were`() throws {
    struct Stop: Error {}
    try makeList()
    let before = try folder.dump()
    #expect(throws: Stop.self) {
      try folder.open(ThenClass.types, version: 1) { _, _ in
        throw Stop()
      } _: { _ in
      }
    }
    try expectEqual(folder.dump(), before)
  }

  @Test func `A collection that comes later to a class of its name`() throws {
    try folder.write(ClassFirst.types) { realm in
      realm.create(ClassFirst.Post.self, value: ["id": 1])
      realm.create(ClassFirst.Post_comments.self)
    }
    try folder.open(ThenClass.types, version: 1) { realm in
      let post = try #require(realm.objects(ThenClass.Post.self).first)
      try realm.write { post.comments.append("a") }
      expectEqual(realm.objects(ThenClass.Post_comments.self).map(\.text), ["old"])
    }
    try expectEqual(
      tables(), ["Post", "Post_comments", "Post_comments_elements", "Post_tags"])
  }

  @Test func `A renamed class takes its collections along, beside a class of their new name`()
    throws
  {
    try makeList()
    try folder.open(Renamed.types, version: 1) { migration, _ in
      migration.renameClass(from: "Post", to: "Article")
      var seen: [Int] = []
      migration.enumerateObjects(ofType: "Article") { old, new in
        seen.append((old!["comments"] as! any RandomAccessCollection).count)
        seen.append((new!["comments"] as! any RandomAccessCollection).count)
      }
      expectEqual(seen, [2, 2])
    } _: { realm in
      let article = try #require(realm.objects(Renamed.Article.self).first)
      expectEqual(Array(article.comments), ["a", "b"])
      expectEqual(Array(article.tags), ["x"])
    }
    try expectEqual(
      tables(), ["Article", "Article_comments", "Article_comments_elements", "Article_tags"])
  }

  @Test func `A renamed class whose collection had another name gets the usual one`() throws {
    class Text: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var comments: List<String>
      @Persisted var tags: MutableSet<String>
    }
    try makeList()
    try folder.open(ThenClass.types) { _ in }
    try folder.open([Text.self], version: 1) { migration, _ in
      migration.renameClass(from: "Post", to: "Text")
    } _: { realm in
      expectEqual(realm.objects(Text.self).first.map { Array($0.comments) }, ["a", "b"])
    }
    try expectEqual(tables(), ["Post_comments", "Text", "Text_comments", "Text_tags"])
  }

  @Test func `A property that is renamed to a collection beside a class`() throws {
    class Post: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var remarks: List<String>
    }
    class Post_remarks: Object {
      @Persisted var text = ""
    }
    try makeList()
    try folder.open([Post.self, Post_remarks.self], version: 1) { migration, _ in
      migration.renameProperty(onType: "Post", from: "comments", to: "remarks")
    } _: { realm in
      expectEqual(realm.objects(Post.self).first.map { Array($0.remarks) }, ["a", "b"])
      expectTrue(realm.objects(Post_remarks.self).isEmpty)
    }
    try expectEqual(tables(), ["Post", "Post_remarks", "Post_remarks_elements"])
  }

  @Test func `A file that is only read keeps its names`() throws {
    try makeList()
    let before = try folder.dump()
    var configuration = folder.configuration(ThenClass.types)
    configuration.readOnly = true
    do {
      let realm = try Realm(configuration: configuration)
      expectEqual(realm.objects(ThenClass.Post.self).first.map { Array($0.comments) }, ["a", "b"])
      expectTrue(realm.objects(ThenClass.Post_comments.self).isEmpty)
    }
    try expectEqual(folder.dump(), before)
  }

  @Test func `The forecast names the table that is renamed`() throws {
    try makeList()
    let forecast = try Realm.migrationForecast(for: folder.configuration(ThenClass.types))
    expectEqual(
      forecast.stages.flatMap(\.operations).map(\.text).prefix(2),
      [
        "Rename table 'Post_comments' to 'Post_comments_elements'.",
        "Create table 'Post_comments'.",
      ])
  }

  @Test func `A transform works beside a table that was renamed`() throws {
    class Post: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var comments: List<String>
      @Persisted var tags: MutableSet<String>
      @Persisted var title = ""
    }
    try makeList()
    try folder.open([Post.self, ThenClass.Post_comments.self], version: 1) { migration, _ in
      migration.transform("Post") { _, new in new["title"] = "made" }
    } _: { realm in
      let post = try #require(realm.objects(Post.self).first)
      expectEqual(post.title, "made")
      expectEqual(Array(post.comments), ["a", "b"])
    }
  }
}
