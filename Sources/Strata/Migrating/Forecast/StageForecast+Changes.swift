/// What stages do to the objects that later ones meet.
extension StageForecast {
  /// The classes whose objects may go before classes become embedded ones: with a class that is
  /// dropped, or because no object holds them.
  var deleting: Set<String> {
    let declarations = stage.declarations
    let converted = Set(
      changes.compactMap { change -> String? in
        guard case .changeKind(let name, toEmbedded: true) = change,
          declarations.embeddings[name]?.orphans == .delete
        else { return nil }
        return name
      })
    let inside = converted.union(droppedClasses).flatMap { name in
      before.classesInside(of: name).union(target.classesInside(of: name))
    }
    return converted.union(inside)
  }

  /// The classes whose objects may not be those of the file after the stage, its closure aside.
  var changedAfterwards: Set<String> {
    let losing = before.classesLosingHolders(changes, in: target)
    return changed.union(deleting).union(losing).union(losing.flatMap(before.classesInside))
      .subtracting(droppedClasses)
  }

  /// What comes of something that makes a migration fail as the file is.
  ///
  /// - Parameter isChanged: Whether the objects that it is about may have changed by then.
  func consequence(isChanged: Bool) -> MigrationForecast.Finding.Consequence {
    // Closures come first: they may see to anything.
    if stage.runsClosure || followsClosure { return .dependsOnClosure }
    return isChanged ? .dependsOnEarlierChanges : .fails
  }
}

extension StageDeclarations {
  /// The names that classes have after the stage.
  func renamed(_ classes: Set<String>) -> Set<String> {
    renamedClasses.reduce(into: classes) { classes, rename in
      if classes.remove(rename.old) != nil { classes.insert(rename.new) }
    }
  }
}
