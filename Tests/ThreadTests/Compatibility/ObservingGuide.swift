import Dispatch
import Observation
import Strata

#if canImport(FoundationInternationalization)
  import FoundationInternationalization
#endif

// The code of docs/observing.md.

final class Member: Object {
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var dogs: List<MembersDog>
}

final class MembersDog: Object {
  @Persisted var name = ""
}

private func mail(_ name: String) async {}

func mailNewcomers(_ configuration: Realm.Configuration) async throws {
  let realm = try Realm(configuration: configuration)
  for try await change in realm.objects(Member.self).changes() {
    guard case .update(let members, _, let insertions, _) = change else { continue }
    let newcomers = insertions.map { members[$0].name }
    for name in newcomers { await mail(name) }
  }
}

func announce(_ members: Results<Member>) async throws {
  for try await change in members.changes() {
    guard case .update(let members, _, let insertions, _) = change.frozen() else { continue }
    for index in insertions { await mail("\(members[index].name) is number \(index + 1)") }
  }
}

func watch(_ realm: Realm) -> NotificationToken {
  realm.objects(Member.self).observe { change in
    if case .update(_, let deletions, _, _) = change { print("\(deletions.count) have left") }
  }
}

func watch(_ realm: Realm, on queue: DispatchQueue) -> NotificationToken {
  realm.objects(Member.self).where { $0.age >= 18 }.observe(on: queue) { change in
    if case .update(let adults, _, _, _) = change { print("\(adults.count) adults") }
  }
}

actor Roster {
  private(set) var names: [String] = []
  private var token: NotificationToken?

  func follow(_ configuration: Realm.Configuration) async throws {
    let realm = try await Realm.open(configuration: configuration)
    token = await realm.objects(Member.self).sorted(byKeyPath: "name").observe(on: self) {
      roster, change in
      switch change {
      case .initial(let members): roster.names = members.map(\.name)
      case .update(let members, _, _, _): roster.names = members.map(\.name)
      case .error(let error): print("The file can't be read: \(error)")
      }
    }
  }
}

@MainActor final class MemberList {
  let members: Results<Member>
  private(set) var rows: [String] = []
  private var token: NotificationToken?

  init(_ realm: Realm) {
    members = realm.objects(Member.self).sorted(byKeyPath: "name")
    token = members.observe { [weak self] change in self?.show(change) }
  }

  private func show(_ change: RealmCollectionChange<Results<Member>>) {
    switch change {
    case .initial(let members):
      rows = members.map(\.name)
    case .update(let members, let deletions, let insertions, _):
      for index in deletions.reversed() { rows.remove(at: index) }
      for index in insertions { rows.insert(members[index].name, at: index) }
      for index in change.modificationsInNewVersion ?? [] { rows[index] = members[index].name }
    case .error(let error):
      rows = ["\(error)"]
    }
  }

  /// The list shows it already: it was edited in its row.
  func rename(_ index: Int, to name: String) throws {
    guard let token else { return }
    let member = members[index]
    try member.realm?.write(withoutNotifying: [token]) { member.name = name }
  }
}

@MainActor final class Heading {
  private let realm: Realm
  private(set) var text = ""

  init(_ realm: Realm) {
    self.realm = realm
    realm.tracksReads = true
    update()
  }

  private func update() {
    withObservationTracking {
      let members = realm.objects(Member.self).sorted(byKeyPath: "age")
      text = "\(members.count) members, the oldest is \(members.last?.name ?? "unknown")"
    } onChange: { [weak self] in
      Task { @MainActor in self?.update() }
    }
  }
}

func watch(_ member: Member) -> NotificationToken {
  member.observe { change in
    switch change {
    case .change(_, let properties):
      for property in properties {
        print("\(property.name): \(property.oldValue ?? "nil") → \(property.newValue ?? "nil")")
      }
    case .deleted: print("has left")
    case .error(let error): print(error)
    }
  }
}

final class MemberCard: Projection<Member> {
  @Projected(\Member.name.localizedUppercase) var title
  @Projected(\Member.dogs.projectTo.name) var dogNames: ProjectedCollection<String>
}

func watchCards(_ realm: Realm) -> NotificationToken {
  realm.objects(MemberCard.self).filter("age >= 18").sorted(by: \.title).observe { change in
    if case .update(let cards, _, _, _) = change { print(cards.map(\.title)) }
  }
}
