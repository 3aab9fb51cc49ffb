import Strata

/// A member of a club. Queries find members one at a time.
final class Member: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var email = ""
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var friend: Member?

  /// A file in which each member is the friend of the next one.
  static var base: BaseFile {
    BaseFile("members", [Member.self]) { realm, rows in
      var friend: Member?
      for index in 0..<rows {
        let member = Member()
        member.id = index + 1
        member.email = email(index)
        member.name = "Name \(index)"
        member.age = index % 100
        member.friend = friend
        realm.add(member)
        friend = member
      }
    }
  }

  static func email(_ index: Int) -> String { "member\(index)@example.org" }
}
