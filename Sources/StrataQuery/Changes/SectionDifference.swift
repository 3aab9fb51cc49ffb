/// The position of an element in sections: the position of its section, and within the section.
package struct SectionPath: Hashable, Sendable, Comparable {
  package let section: Int
  package let item: Int

  package static func < (first: SectionPath, second: SectionPath) -> Bool {
    (first.section, first.item) < (second.section, second.item)
  }
}

/// The changes between two states of a list in sections.
///
/// Deleting ``deletions`` and then ``sectionsToDelete``, and then inserting ``sectionsToInsert``
/// and ``insertions``, turns the old sections into the new ones. All arrays are ascending.
package struct SectionDifference: Equatable, Sendable {
  /// Old positions of elements that left their sections, except in deleted sections.
  package private(set) var deletions: [SectionPath] = []
  /// New positions of elements that entered their sections, including inserted sections.
  package private(set) var insertions: [SectionPath] = []
  /// Old positions of elements that changed and kept their positions in their sections.
  package private(set) var modifications: [SectionPath] = []
  /// Old positions of sections that were deleted or moved.
  package private(set) var sectionsToDelete: [Int] = []
  /// New positions of sections that were inserted or moved.
  package private(set) var sectionsToInsert: [Int] = []

  package var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && modifications.isEmpty
      && sectionsToDelete.isEmpty && sectionsToInsert.isEmpty
  }

  /// Divides the changes of a list by sections.
  ///
  /// Sections are in the order of their first elements. An element whose section has changed leaves
  /// the old section and enters the new one, even if it has kept its position in the list. A
  /// modified element leaves and enters its section if its position there has changed.
  package init<Key: Hashable>(old: [Key], new: [Key], changes: ChangeSet) {
    let before = Sections(old)
    let after = Sections(new)
    let common = before.keys.indices.compactMap { position in
      after.positions[before.keys[position]].map { (old: position, new: $0) }
    }
    let kept = IncreasingRun.positions(in: common.map(\.new)).map { common[$0] }
    // The new position of each old section that stays.
    var places = [Int?](repeating: nil, count: before.keys.count)
    var isNew = [Bool](repeating: true, count: after.keys.count)
    for pair in kept {
      places[pair.old] = pair.new
      isNew[pair.new] = false
    }
    sectionsToDelete = places.indices.filter { places[$0] == nil }
    sectionsToInsert = isNew.indices.filter { isNew[$0] }

    var stays = KeptPositions(changes)
    var isInserted = [Bool](repeating: false, count: new.count)
    for position in changes.insertions { isInserted[position] = true }
    var modified = changes.modifications[...]
    for (position, path) in before.paths.enumerated() {
      let isModified = modified.first == position
      if isModified { modified.removeFirst() }
      let newPosition = stays.next(position)
      let place = places[path.section]
      if let newPosition, let place, after.paths[newPosition].section == place {
        guard isModified else { continue }
        if after.paths[newPosition].item == path.item {
          modifications.append(path)
        } else {
          deletions.append(path)
          isInserted[newPosition] = true
        }
      } else {
        if place != nil { deletions.append(path) }
        if let newPosition { isInserted[newPosition] = true }
      }
    }
    insertions = isInserted.indices.filter { isInserted[$0] }.map { after.paths[$0] }
    deletions.sort()
    insertions.sort()
    modifications.sort()
  }

  /// Returns the changes of one section.
  ///
  /// - Parameters:
  ///   - old: Its old position; nil if it was inserted.
  ///   - new: Its new position; nil if it was deleted.
  package func part(old: Int?, new: Int?) -> SectionDifference {
    var part = self
    part.deletions.removeAll { $0.section != old }
    part.insertions.removeAll { $0.section != new }
    part.modifications.removeAll { $0.section != old }
    part.sectionsToDelete.removeAll { $0 != old }
    part.sectionsToInsert.removeAll { $0 != new }
    return part
  }

  /// The sections of a list.
  private struct Sections<Key: Hashable> {
    var keys: [Key] = []
    var positions: [Key: Int] = [:]
    var paths: [SectionPath] = []

    init(_ elements: [Key]) {
      var counts: [Int] = []
      paths.reserveCapacity(elements.count)
      for key in elements {
        let section = positions[key] ?? keys.count
        if section == keys.count {
          positions[key] = section
          keys.append(key)
          counts.append(0)
        }
        paths.append(SectionPath(section: section, item: counts[section]))
        counts[section] += 1
      }
    }
  }

  /// The new positions of elements that were not deleted, requested in ascending order.
  private struct KeptPositions {
    private var deletions: ArraySlice<Int>
    private var insertions: ArraySlice<Int>
    private var new = 0

    init(_ changes: ChangeSet) {
      deletions = changes.deletions[...]
      insertions = changes.insertions[...]
    }

    mutating func next(_ position: Int) -> Int? {
      if deletions.first == position {
        deletions.removeFirst()
        return nil
      }
      while insertions.first == new {
        insertions.removeFirst()
        new += 1
      }
      defer { new += 1 }
      return new
    }
  }
}
