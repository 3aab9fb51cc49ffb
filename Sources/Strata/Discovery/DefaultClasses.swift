import StrataStorage

/// Chooses the classes of a realm whose configuration names none, where a program has some that
/// can't all be in one realm. A class that isn't used must not keep the others from being used.
enum DefaultClasses {
  /// Whether one of the classes leads to a class.
  static func used(_ infos: [ClassInfo]) -> (ObjectIdentifier) -> Bool {
    let targets = infos.flatMap { info in
      info.targets.compactMap { $0 }.filter { $0 != info.type }.map { ObjectIdentifier($0) }
    }
    return Set(targets).contains
  }

  /// The classes without those that are further views of a table: two classes have its name, and
  /// one of them at least by `_realmObjectName()`.
  ///
  /// The class whose own name it is stays. Without such a class, or with several, all are views.
  /// Where another class leads to one of them, all stay, which is a mistake that the caller finds.
  static func withoutViews(_ infos: [ClassInfo]) -> [ClassInfo] {
    let names = Dictionary(grouping: infos, by: \.className)
    var views: Set<ObjectIdentifier> = []
    let isUsed = used(infos)
    for group in names.values where group.count > 1 {
      let own = group.filter { $0.type._realmObjectName() == nil }
      guard own.count <= 1 else { continue }
      let others = group.filter { info in !own.contains { $0 === info } }
      guard !others.contains(where: { isUsed(ObjectIdentifier($0.type)) }) else { continue }
      views.formUnion(others.map { ObjectIdentifier($0.type) })
    }
    return views.isEmpty ? infos : infos.filter { !views.contains(ObjectIdentifier($0.type)) }
  }

  /// Why a class isn't one of those of a realm that names none; "" for another reason.
  static func reason(without type: ObjectBase.Type) -> String {
    do throws(RealmError) {
      _ = try ClassInfo.of(type)
      let name = type.className()
      let views = try DiscoveredSchema.allTypes().filter { $0.className() == name }
      guard views.count > 1, views.contains(where: { $0._realmObjectName() != nil }) else {
        return ""
      }
      let names = views.map { String(reflecting: $0) }.sorted().joined(separator: ", ")
      return " '\(name)' is the name of \(names): list the one that this realm is used with in "
        + "'objectTypes'."
    } catch {
      return " \(error.message)"
    }
  }
}
