import Foundation
import Strata

extension APIUses {
  func sortDescriptor() {
    use("SortDescriptor", "init(keyPath:ascending:)") { things in
      _ = SortDescriptor(keyPath: "age", ascending: true)
    }
    use("SortDescriptor", "init(keyPath:ascending:) of a key path") { things in
      _ = SortDescriptor(keyPath: \Dog.age, ascending: true)
    }
    use("SortDescriptor", "keyPath") { things in
      _ = things.values.sortDescriptor.keyPath as String
    }
    use("SortDescriptor", "ascending") { things in
      _ = things.values.sortDescriptor.ascending as Bool
    }
    use("SortDescriptor", "reversed()") { things in
      _ = things.values.sortDescriptor.reversed() as Strata.SortDescriptor
    }
    use("SortDescriptor", "description") { things in
      _ = things.values.sortDescriptor.description
    }
    use("SortDescriptor", "init(stringLiteral:)") { things in
      _ = "age" as Strata.SortDescriptor
    }
  }

  func sectionedResults() {
    use("SectionedResults", "allKeys") { things in
      _ = things.collections.sections.allKeys as [Int8]
    }
    use("SectionedResults", "count") { things in
      _ = things.collections.sections.count
    }
    use("SectionedResults", "subscript(_:)") { things in
      _ = things.collections.sections[0] as ResultsSection<Int8, Dog>
    }
    use("SectionedResults", "subscript(_:) of an IndexPath") { things in
      _ = things.collections.sections[IndexPath(item: 0, section: 0)] as Dog
    }
    use("SectionedResults", "realm") { things in
      _ = things.collections.sections.realm as Realm?
    }
    use("SectionedResults", "isInvalidated") { things in
      _ = things.collections.sections.isInvalidated
    }
    use("SectionedResults", "isFrozen") { things in
      _ = things.collections.sections.isFrozen
    }
    use("SectionedResults", "freeze()") { things in
      _ = things.collections.sections.freeze() as SectionedResults<Int8, Dog>
    }
    use("SectionedResults", "thaw()") { things in
      _ = things.collections.sections.thaw() as SectionedResults<Int8, Dog>?
    }
    use("SectionedResults", "observe(on:_:)") { things in
      _ =
        things.collections.sections.observe(on: things.queue) {
          (_: SectionedResultsChange<SectionedResults<Int8, Dog>>) in
        } as NotificationToken
    }
    use("SectionedResults", "observe(keyPaths:on:_:)") { things in
      _ =
        things.collections.sections.observe(keyPaths: ["age"], on: things.queue) { _ in }
        as NotificationToken
    }
    use("SectionedResults", "observe(keyPaths:on:_:) of key paths") { things in
      _ =
        things.collections.sections.observe(keyPaths: [\.age], on: things.queue) { _ in }
        as NotificationToken
    }
    use("SectionedResults", "description") { things in
      _ = things.collections.sections.description
    }
    use("SectionedResults", "RealmSectionedResult") { things in
      _ = (any RealmSectionedResult).self
    }
    use("SectionedResults", "ResultsSection.key") { things in
      _ = things.collections.sections[0].key as Int8
    }
    use("SectionedResults", "ResultsSection.id") { things in
      _ = things.collections.sections[0].id as Int8
    }
    use("SectionedResults", "ResultsSection.count") { things in
      _ = things.collections.sections[0].count
    }
    use("SectionedResults", "ResultsSection.subscript(_:)") { things in
      _ = things.collections.sections[0][0] as Dog
    }
    use("SectionedResults", "ResultsSection.observe(on:_:)") { things in
      _ =
        things.collections.sections[0].observe(on: things.queue) {
          (_: SectionedResultsChange<ResultsSection<Int8, Dog>>) in
        } as NotificationToken
    }
    use("SectionedResults", "ResultsSection.observe(keyPaths:on:_:)") { things in
      _ =
        things.collections.sections[0].observe(keyPaths: ["age"], on: things.queue) { _ in }
        as NotificationToken
    }
    use("SectionedResults", "ResultsSection.observe(keyPaths:on:_:) of key paths") { things in
      _ =
        things.collections.sections[0].observe(keyPaths: [\.age], on: things.queue) { _ in }
        as NotificationToken
    }
    use("SectionedResults", "ResultsSection.freeze()") { things in
      _ = things.collections.sections[0].freeze() as ResultsSection<Int8, Dog>
    }
    use("SectionedResults", "ResultsSection.thaw()") { things in
      _ = things.collections.sections[0].thaw() as ResultsSection<Int8, Dog>?
    }
    use("SectionedResults", "SectionedResultsChange.initial(_:)") { things in
      _ = SectionedResultsChange.initial(things.collections.sections)
    }
    use(
      "SectionedResults",
      "SectionedResultsChange.update(_:deletions:insertions:modifications:sectionsToInsert:sectionsToDelete:)"
    ) { things in
      let change = SectionedResultsChange.update(
        things.collections.sections, deletions: [], insertions: [], modifications: [],
        sectionsToInsert: [], sectionsToDelete: [])
      // There are two cases.
      switch change {
      case .initial(_): break
      case .update(
        _, deletions: _, insertions: _, modifications: _, sectionsToInsert: _, sectionsToDelete: _):
        break
      }
    }
  }

  func changes() {
    use("Changes", "RealmCollectionChange.initial(_:)") { things in
      _ = RealmCollectionChange.initial(things.collections.dogs)
    }
    use("Changes", "RealmCollectionChange.update(_:deletions:insertions:modifications:)") {
      things in
      _ = RealmCollectionChange.update(
        things.collections.dogs, deletions: [], insertions: [], modifications: [])
    }
    use("Changes", "RealmCollectionChange.error(_:)") { things in
      _ = RealmCollectionChange<List<Dog>>.error(things.error)
    }
    use("Changes", "RealmMapChange.initial(_:)") { things in
      _ = RealmMapChange.initial(things.person.scores)
    }
    use("Changes", "RealmMapChange.update(_:deletions:insertions:modifications:)") { things in
      _ = RealmMapChange.update(
        things.person.scores, deletions: [], insertions: [], modifications: [])
    }
    use("Changes", "RealmMapChange.error(_:)") { things in
      _ = RealmMapChange<Map<String, Int>>.error(things.error)
    }
    use("Changes", "ObjectChange.error(_:)") { things in
      _ = ObjectChange<Person>.error(things.error)
    }
    use("Changes", "ObjectChange.change(_:_:)") { things in
      _ = ObjectChange.change(things.person, [])
    }
    use("Changes", "ObjectChange.deleted") { things in
      _ = ObjectChange<Person>.deleted
    }
    use("Changes", "PropertyChange.name") { things in
      _ = things.schemas.change.name as String
    }
    use("Changes", "PropertyChange.oldValue") { things in
      _ = things.schemas.change.oldValue as Any?
    }
    use("Changes", "PropertyChange.newValue") { things in
      _ = things.schemas.change.newValue as Any?
    }
    use("Changes", "NotificationToken.invalidate()") { things in
      _ = things.token.invalidate()
    }
  }

  func projection() {
    use("Projection", "Projection") { things in
      _ = PersonCard.self
    }
    use("Projection", "init(projecting:)") { things in
      _ = PersonCard(projecting: things.person)
    }
    use("Projection", "rootObject") { things in
      _ = things.card.rootObject as Person
    }
    use("Projection", "Projected.init(_:)") { things in
      _ = Projected(\Person.name)
    }
    use("Projection", "Projected.wrappedValue") { things in
      _ = things.card.name as String
    }
    use("Projection", "projectTo") { things in
      _ = things.person.dogs.projectTo.name as ProjectedCollection<String>
    }
    use("Projection", "CollectionElementMapper") { things in
      _ = CollectionElementMapper<Dog>.self
    }
    use("Projection", "realm") { things in
      _ = things.card.realm as Realm?
    }
    use("Projection", "isInvalidated") { things in
      _ = things.card.isInvalidated
    }
    use("Projection", "isFrozen") { things in
      _ = things.card.isFrozen
    }
    use("Projection", "freeze()") { things in
      _ = things.card.freeze() as PersonCard
    }
    use("Projection", "thaw()") { things in
      _ = things.card.thaw() as PersonCard?
    }
    use("Projection", "observe(keyPaths:on:_:)") { things in
      _ =
        things.card.observe(keyPaths: ["name"], on: things.queue) { (_: ObjectChange<PersonCard>) in
        } as NotificationToken
    }
    use("Projection", "observe(keyPaths:on:_:) of key paths") { things in
      _ =
        things.card.observe(keyPaths: [\PersonCard.name], on: things.queue) {
          (_: ObjectChange<PersonCard>) in
        } as NotificationToken
    }
    use("Projection", "description") { things in
      _ = things.card.description
    }
    use("Projection", "==") { things in
      _ = things.card == things.card
    }
    use("Projection", "ProjectionObservable") { things in
      _ = (any ProjectionObservable).self
    }
    use("Projection", "ProjectedCollection.count") { things in
      _ = things.card.dogNames.count
    }
    use("Projection", "ProjectedCollection.subscript(_:)") { things in
      _ = things.card.dogNames[0] as String
    }
    use("Projection", "ProjectedCollection.index(of:)") { things in
      _ = things.card.dogNames.index(of: "Rex") as Int?
    }
    use("Projection", "ProjectedCollection.index(matching:)") { things in
      _ = things.card.dogNames.index(matching: NSPredicate(format: "name = 'Rex'")) as Int?
    }
    use("Projection", "ProjectedCollection.first") { things in
      _ = things.card.dogNames.first as String?
    }
    use("Projection", "ProjectedCollection.last") { things in
      _ = things.card.dogNames.last as String?
    }
    use("Projection", "ProjectedCollection.isInvalidated") { things in
      _ = things.card.dogNames.isInvalidated
    }
    use("Projection", "ProjectedCollection.realm") { things in
      _ = things.card.dogNames.realm as Realm?
    }
    use("Projection", "ProjectedCollection.freeze()") { things in
      _ = things.card.dogNames.freeze() as ProjectedCollection<String>
    }
    use("Projection", "ProjectedCollection.thaw()") { things in
      _ = things.card.dogNames.thaw() as ProjectedCollection<String>?
    }
    use("Projection", "ProjectedCollection.observe(on:_:)") { things in
      _ =
        things.card.dogNames.observe(on: things.queue) {
          (_: RealmCollectionChange<ProjectedCollection<String>>) in
        } as NotificationToken
    }
  }

  func threadSafeReferenceAndThreadSafe() {
    use("ThreadSafeReference and ThreadSafe", "ThreadSafeReference.init(to:)") { things in
      _ = ThreadSafeReference(to: things.person)
    }
    use("ThreadSafeReference and ThreadSafe", "ThreadSafeReference.isInvalidated") { things in
      _ = ThreadSafeReference(to: things.person).isInvalidated
    }
    use("ThreadSafeReference and ThreadSafe", "ThreadSafe.init(wrappedValue:)") { things in
      _ = ThreadSafe(wrappedValue: things.person)
    }
    use("ThreadSafeReference and ThreadSafe", "ThreadSafe.wrappedValue") { things in
      _ = ThreadSafe(wrappedValue: things.person).wrappedValue as Person?
    }
    use("ThreadSafeReference and ThreadSafe", "ThreadSafe.projectedValue") { things in
      _ = ThreadSafe(wrappedValue: things.person).projectedValue
    }
    use("ThreadSafeReference and ThreadSafe", "ThreadSafe.init(projectedValue:)") { things in
      _ = ThreadSafe(projectedValue: ThreadSafe(wrappedValue: things.person))
    }
  }
}
