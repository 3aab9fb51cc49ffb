import Foundation
import Strata

extension APIUses {
  func useSortDescriptor() {
    heading = "SortDescriptor"
    use("init(keyPath:ascending:)", SortDescriptor(keyPath: "age", ascending: true))
    use(
      "init(keyPath:ascending:) of a key path", SortDescriptor(keyPath: \Dog.age, ascending: true))
    use("keyPath", sortDescriptor.keyPath as String)
    use("ascending", sortDescriptor.ascending as Bool)
    use("reversed()", sortDescriptor.reversed() as Strata.SortDescriptor)
    use("description", sortDescriptor.description)
    use("init(stringLiteral:)", "age" as Strata.SortDescriptor)
  }

  func useSectionedResults() {
    heading = "SectionedResults"
    use("allKeys", sections.allKeys as [Int8])
    use("count", sections.count)
    use("subscript(_:)", sections[0] as ResultsSection<Int8, Dog>)
    use("subscript(_:) of an IndexPath", sections[IndexPath(item: 0, section: 0)] as Dog)
    use("realm", sections.realm as Realm?)
    use("isInvalidated", sections.isInvalidated)
    use("isFrozen", sections.isFrozen)
    use("freeze()", sections.freeze() as SectionedResults<Int8, Dog>)
    use("thaw()", sections.thaw() as SectionedResults<Int8, Dog>?)
    use(
      "observe(on:_:)",
      sections.observe(on: queue) { (_: SectionedResultsChange<SectionedResults<Int8, Dog>>) in }
        as NotificationToken)
    use(
      "observe(keyPaths:on:_:)",
      sections.observe(keyPaths: ["age"], on: queue) { _ in } as NotificationToken)
    use(
      "observe(keyPaths:on:_:) of key paths",
      sections.observe(keyPaths: [\.age], on: queue) { _ in } as NotificationToken)
    use("description", sections.description)
    use("RealmSectionedResult", (any RealmSectionedResult).self)
    use("ResultsSection.key", sections[0].key as Int8)
    use("ResultsSection.id", sections[0].id as Int8)
    use("ResultsSection.count", sections[0].count)
    use("ResultsSection.subscript(_:)", sections[0][0] as Dog)
    use(
      "ResultsSection.observe(on:_:)",
      sections[0].observe(on: queue) { (_: SectionedResultsChange<ResultsSection<Int8, Dog>>) in }
        as NotificationToken)
    use(
      "ResultsSection.observe(keyPaths:on:_:)",
      sections[0].observe(keyPaths: ["age"], on: queue) { _ in } as NotificationToken)
    use(
      "ResultsSection.observe(keyPaths:on:_:) of key paths",
      sections[0].observe(keyPaths: [\.age], on: queue) { _ in } as NotificationToken)
    use("ResultsSection.freeze()", sections[0].freeze() as ResultsSection<Int8, Dog>)
    use("ResultsSection.thaw()", sections[0].thaw() as ResultsSection<Int8, Dog>?)
    use("SectionedResultsChange.initial(_:)", SectionedResultsChange.initial(sections))
    uses(
      "SectionedResultsChange.update(_:deletions:insertions:modifications:sectionsToInsert:sectionsToDelete:)"
    ) {
      let change = SectionedResultsChange.update(
        sections, deletions: [], insertions: [], modifications: [],
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

  func useChanges() {
    heading = "Changes"
    use("RealmCollectionChange.initial(_:)", RealmCollectionChange.initial(dogs))
    use(
      "RealmCollectionChange.update(_:deletions:insertions:modifications:)",
      RealmCollectionChange.update(dogs, deletions: [], insertions: [], modifications: []))
    use("RealmCollectionChange.error(_:)", RealmCollectionChange<List<Dog>>.error(error))
    use("RealmMapChange.initial(_:)", RealmMapChange.initial(person.scores))
    use(
      "RealmMapChange.update(_:deletions:insertions:modifications:)",
      RealmMapChange.update(person.scores, deletions: [], insertions: [], modifications: []))
    use("RealmMapChange.error(_:)", RealmMapChange<Map<String, Int>>.error(error))
    use("ObjectChange.error(_:)", ObjectChange<Person>.error(error))
    use("ObjectChange.change(_:_:)", ObjectChange.change(person, []))
    use("ObjectChange.deleted", ObjectChange<Person>.deleted)
    use("PropertyChange.name", change.name as String)
    use("PropertyChange.oldValue", change.oldValue as Any?)
    use("PropertyChange.newValue", change.newValue as Any?)
    use("NotificationToken.invalidate()", token.invalidate())
  }

  func useProjection() {
    heading = "Projection"
    use("Projection", PersonCard.self)
    use("init(projecting:)", PersonCard(projecting: person))
    use("rootObject", card.rootObject as Person)
    use("Projected.init(_:)", Projected(\Person.name))
    use("Projected.wrappedValue", card.name as String)
    use("projectTo", person.dogs.projectTo.name as ProjectedCollection<String>)
    use("CollectionElementMapper", CollectionElementMapper<Dog>.self)
    use("realm", card.realm as Realm?)
    use("isInvalidated", card.isInvalidated)
    use("isFrozen", card.isFrozen)
    use("freeze()", card.freeze() as PersonCard)
    use("thaw()", card.thaw() as PersonCard?)
    use(
      "observe(keyPaths:on:_:)",
      card.observe(keyPaths: ["name"], on: queue) { (_: ObjectChange<PersonCard>) in }
        as NotificationToken)
    use(
      "observe(keyPaths:on:_:) of key paths",
      card.observe(keyPaths: [\PersonCard.name], on: queue) { (_: ObjectChange<PersonCard>) in }
        as NotificationToken)
    use("description", card.description)
    use("==", card == card)
    use("ProjectionObservable", (any ProjectionObservable).self)
    use("ProjectedCollection.count", card.dogNames.count)
    use("ProjectedCollection.subscript(_:)", card.dogNames[0] as String)
    use("ProjectedCollection.index(of:)", card.dogNames.index(of: "Rex") as Int?)
    use(
      "ProjectedCollection.index(matching:)",
      card.dogNames.index(matching: NSPredicate(format: "name = 'Rex'")) as Int?)
    use("ProjectedCollection.first", card.dogNames.first as String?)
    use("ProjectedCollection.last", card.dogNames.last as String?)
    use("ProjectedCollection.isInvalidated", card.dogNames.isInvalidated)
    use("ProjectedCollection.realm", card.dogNames.realm as Realm?)
    use("ProjectedCollection.freeze()", card.dogNames.freeze() as ProjectedCollection<String>)
    use("ProjectedCollection.thaw()", card.dogNames.thaw() as ProjectedCollection<String>?)
    use(
      "ProjectedCollection.observe(on:_:)",
      card.dogNames.observe(on: queue) { (_: RealmCollectionChange<ProjectedCollection<String>>) in
      } as NotificationToken)
  }

  func useThreadSafeReferenceAndThreadSafe() {
    heading = "ThreadSafeReference and ThreadSafe"
    use("ThreadSafeReference.init(to:)", ThreadSafeReference(to: person))
    use("ThreadSafeReference.isInvalidated", ThreadSafeReference(to: person).isInvalidated)
    use("ThreadSafe.init(wrappedValue:)", ThreadSafe(wrappedValue: person))
    use("ThreadSafe.wrappedValue", ThreadSafe(wrappedValue: person).wrappedValue as Person?)
    use("ThreadSafe.projectedValue", ThreadSafe(wrappedValue: person).projectedValue)
    use(
      "ThreadSafe.init(projectedValue:)",
      ThreadSafe(projectedValue: ThreadSafe(wrappedValue: person)))
  }
}
