import Foundation
import Strata

/// Opens a file of RealmSwift with today's classes, as the new program does at its first start.
func leaveRealm() throws {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "StrataExample-\(UUID())", isDirectory: true)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { removeFolder(folder) }
  let old = folder.appendingPathComponent("Dogs-v3.realm")
  try FileManager.default.copyItem(
    at: Fixtures.folder().appendingPathComponent("Dogs-v3.realm"), to: old)
  let file = folder.appendingPathComponent("dogs.sqlite")

  print("\nOut of Realm: a file that RealmSwift wrote\n")
  var configuration = Dogs.configuration(file, convertingFrom: old)
  configuration.convertsRealmFile?.didConvert = { report in
    print("\(report)".replacingOccurrences(of: folder.path + "/", with: ""))
  }
  configuration.didMigrate = { report in
    print("\nVersion \(report.from ?? 0) became \(report.to ?? 0):")
    for operation in report.stages.flatMap(\.operations) { print("  \(operation)") }
  }
  // A program needs only this line.
  let realm = try Realm(configuration: configuration)

  let people = realm.objects(Dogs.Person.self)
  print("")
  printDogs(people)
  try checkDogs(realm)
  guard
    try Data(contentsOf: old)
      == Data(contentsOf: Fixtures.folder().appendingPathComponent("Dogs-v3.realm"))
  else { throw Failure("The file of Realm has changed.") }
  print(label("checked") + "people, dogs, addresses and links; the old file is as it was")
}

private func printDogs(_ people: Results<Dogs.Person>) {
  let header = ["fullName", "dog", "walks", "addresses", "friend"]
  let rows = people.map { person in
    [
      person.fullName, person.dog?.name ?? "–", person.dogs.map(\.name).joined(separator: ", "),
      ([person.address] + person.addresses.map(Optional.some))
        .compactMap { $0?.street }.joined(separator: ", "),
      person.friend?.fullName ?? "–",
    ]
  }
  let table = [header] + rows
  let widths = header.indices.map { column in table.map { width($0[column]) }.max() ?? 0 }
  for row in table {
    let cells = zip(row, widths.dropLast() + [0]).map { $0.padding(to: $1) }
    print("  " + cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
  }
}

private func checkDogs(_ realm: Realm) throws {
  let people = realm.objects(Dogs.Person.self)
  let dogs = realm.objects(Dogs.Dog.self)
  guard people.map(\.fullName) == (0..<5).map({ "person \($0)" }),
    dogs.map(\.months) == [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11].map({ 12 * $0 }),
    people[0].dogs.map(\.name) == [3, 1, 3, 0, 11, 3].map({ "dog \($0)" }),
    people[0].friend == people[0], people[1].friend == people[2], people[2].friend == people[1],
    people[3].addresses.map(\.street) == [nil, "no 2", "no 3"],
    people[3].addresses[1].country?.code == "FR", people[4].addressMap["work"]??.street == "W",
    dogs[0].walkers.map(\.fullName) == ["person 0"]
  else { throw Failure("The converted file differs from the one that RealmSwift wrote.") }
}
