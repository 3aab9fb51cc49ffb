import Strata
import StrataSwiftUI
import SwiftUI

extension APIUses {
  func useSwiftUI() {
    heading = "SwiftUI"
    taskUse("ObservedResults") { things in
      let people = ObservedResults(
        Person.self, configuration: things.configuration, filter: nil, keyPaths: ["name"],
        sortDescriptor: SortDescriptor(keyPath: "age", ascending: true))
      _ = ObservedResults(Person.self, where: { $0.age > 18 })
      _ = ObservedResults(PersonCard.self)
      _ = people.wrappedValue as Results<Person>
      people.projectedValue.append(things.person)
      people.projectedValue.remove(things.person)
      people.projectedValue.remove(atOffsets: [0])
      people.filter = nil
      people.where = { $0.age > 18 }
      people.sortDescriptor = nil
    }
    taskUse("ObservedSectionedResults") { things in
      let people = ObservedSectionedResults(
        Person.self, sectionKeyPath: \.age, sortDescriptors: ["age"], filter: nil,
        keyPaths: ["age"], configuration: things.configuration)
      _ = ObservedSectionedResults(
        Person.self, sectionBlock: { $0.age }, sortDescriptors: ["age"],
        where: { $0.name != "" })
      _ = ObservedSectionedResults(PersonCard.self, sectionKeyPath: \.name)
      _ = ObservedSectionedResults(
        PersonCard.self, sectionBlock: { $0.name.count }, sortDescriptors: ["name"],
        where: { $0.age > 18 })
      _ = people.wrappedValue as SectionedResults<Int8, Person>
      people.projectedValue.remove(atOffsets: [0], section: people.wrappedValue[0])
      people.sortDescriptors = []
    }
    taskUse("ObservedRealmObject") { things in
      let person = ObservedRealmObject(wrappedValue: things.person)
      _ = person.wrappedValue as Person
      _ = person.projectedValue.name as Binding<String>
      person.projectedValue.dogs.append(things.dog)
      person.projectedValue.delete()
      _ = ObservedRealmObject(wrappedValue: things.card)
      ObservedRealmObject(wrappedValue: things.dogs).projectedValue.remove(at: 0)
    }
    taskUse("StateRealmObject") { things in
      let person = StateRealmObject(wrappedValue: Person())
      _ = person.wrappedValue as Person
      _ = person.projectedValue.name as Binding<String>
    }
    taskUse("EnvironmentValues.realm") { things in
      _ = Environment(\.realm).wrappedValue as Realm
      _ = EmptyView().environment(\.realm, things.realm)
    }
    taskUse("EnvironmentValues.realmConfiguration") { things in
      _ = Environment(\.realmConfiguration).wrappedValue as Realm.Configuration
      _ = EmptyView().environment(\.realmConfiguration, things.configuration)
    }
    taskUse("BoundCollection") { things in
      let dogs = Binding.constant(things.dogs)
      dogs.append(things.dog)
      dogs.remove(at: 0)
      dogs.remove(atOffsets: [0])
      dogs.move(fromOffsets: [0], toOffset: 1)
      let pack = Binding.constant(things.pack)
      pack.insert(things.dog)
      pack.remove(things.dog)
      let found = Binding.constant(things.found)
      found.remove(things.dog)
      found.remove(atOffsets: [0])
      found.append(things.dog)
    }
    taskUse("BoundMap") { things in
      let scores = Binding.constant(things.person.scores)
      scores["go"] = 1
      scores.set(object: nil, for: "go")
      _ = scores["go"] as Int?
    }
    taskUse("Binding over properties of objects") { things in
      let person = Binding.constant(things.person)
      _ = person.name as Binding<String>
      let card = Binding.constant(things.card)
      _ = card.name as Binding<String>
      card.delete()
      person.delete()
    }
    taskUse("bind(_:)") { things in
      _ = things.person.bind(\.name) as Binding<String>
      _ = things.card.bind(\.name) as Binding<String>
    }
    taskUse("searchable(text:collection:keyPath:placement:prompt:)") { things in
      let people = ObservedResults(Person.self)
      _ = EmptyView().searchable(
        text: .constant(""), collection: people, keyPath: \.name, placement: .automatic,
        prompt: "Name")
      _ = EmptyView().searchable(
        text: .constant(""),
        collection: ObservedSectionedResults(Person.self, sectionKeyPath: \.age), keyPath: \.name)
    }
  }
}
