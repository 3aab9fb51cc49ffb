import Foundation
import GRDB
import StrataTestKit
import TestKit

@testable import Strata

/// Random versions one after the other, with random objects and a random block at each.
struct RandomChain {
  struct Stage {
    var version: Int
    var seed: UInt64
    /// How many objects each class gets before the next stage.
    var rows: [String: Int] = [:]
    /// The program of the block, known after the stage has run once; nil without a block.
    var program: MigrationProgram?
    var hasBlock: Bool
  }

  struct Failure: Error, CustomStringConvertible, @unchecked Sendable {
    var stage: Int
    var problem: String
    var chain: RandomChain

    var description: String {
      var text = "stage \(stage): \(problem)"
      for (number, stage) in chain.stages.enumerated() {
        text += "\n  stage \(number): version \(stage.version), rows \(stage.rows)"
        text += RandomVersion.of(stage.version).description
        text += stage.hasBlock ? "\(stage.program ?? MigrationProgram())" : ", no block"
      }
      return text
    }
  }

  let seed: UInt64
  var stages: [Stage]

  init(seed: UInt64) {
    self.seed = seed
    var random = SplitMix64(seed: seed)
    let size = Int.random(in: 0..<60, using: &random)
    stages = (0..<Int.random(in: 2...4, using: &random)).map { _ in
      var rows: [String: Int] = [:]
      for name in ["A", "B", "C", "E"] { rows[name] = Int.random(in: 0..<6, using: &random) }
      let large = ["A", "B", "E"].randomElement(using: &random) ?? "A"
      if size < 5 { rows[large] = Int.random(in: 62..<140, using: &random) }
      if size == 59 { rows[large] = Int.random(in: 1_020..<2_300, using: &random) }
      return Stage(
        version: Int.random(in: 0..<RandomVersion.count, using: &random), seed: random.next(),
        rows: rows, hasBlock: Int.random(in: 0..<8, using: &random) > 0)
    }
  }

  // MARK: Running

  /// Runs all stages.
  ///
  /// - Throws: ``Failure`` at the first thing that is not as the rules say, with the programs that
  ///   were run.
  mutating func run() throws {
    let folder = try TestFolder()
    folder.isDamaged = true
    var model = ModelFile()
    var last: [ObjectBase.Type] = []
    for number in stages.indices {
      do {
        let version = RandomVersion.of(stages[number].version)
        guard
          try migrate(folder, number, &model, from: last, to: version.types)
        else { return }
        last = version.types
        let problems = try Realm.problems(for: folder.configuration(last))
        guard problems.isEmpty else {
          throw ProgramRunner.Mismatch("the file has problems: \(problems)")
        }
      } catch {
        throw Failure(stage: number, problem: "\(error)", chain: self)
      }
    }
  }

  /// Returns whether the chain goes on.
  private mutating func migrate(
    _ folder: TestFolder, _ number: Int, _ model: inout ModelFile, from last: [ObjectBase.Type],
    to types: [ObjectBase.Type]
  ) throws -> Bool {
    let stage = stages[number]
    let start = try ModelMigration(model, to: types)
    let state = BlockState(start, stage.program)
    let seed = stage.seed
    let isLarge = model.tables.values.contains { $0.rows.count > 200 }
    let block: MigrationBlock = { migration, _ in
      var generator = ProgramGenerator(
        random: SplitMix64(seed: seed), old: migration.oldSchema, new: migration.newSchema,
        isLarge: isLarge)
      try state.run(migration) { generator.program() }
    }
    let hasBlock = stage.hasBlock && number > 0
    var thrown: (any Error)?
    var isOver = false
    do {
      try folder.open(types, version: UInt64(number), hasBlock ? block : nil) { realm in
        try state.finish()
        model = state.model.new
        let expected = model
        try read(&model, realm, folder, types)
        try expected.expect(model, types.map { $0.className() })
        isOver = model.tables.values.contains { $0.rows.keys.contains { $0 < 0 } }
        if number + 1 < stages.count, !isOver {
          var random = SplitMix64(seed: stage.seed &+ 1)
          var changes = LiveChanges(realm: realm, types: types, rows: stage.rows)
          try changes.make(&model, &random)
          try read(&model, realm, folder, types)
        }
      }
    } catch {
      thrown = error
    }
    stages[number].program = state.program
    if let mismatch = state.mismatch ?? thrown as? ProgramRunner.Mismatch { throw mismatch }
    if hasBlock || thrown == nil, let thrown {
      try checkFailure(thrown, state)
      try folder.open(last, version: UInt64(number - 1)) { realm in
        let expected = model
        var found = model
        try read(&found, realm, folder, last)
        try expected.expect(found, last.map { $0.className() })
      }
      return false
    }
    if let thrown {
      try checkFailure(thrown, state)
      return false
    }
    if let text = state.expectedFailure {
      throw ProgramRunner.Mismatch("should have failed with '\(text)'")
    }
    return !isOver
  }

  private func checkFailure(_ error: any Error, _ state: BlockState) throws {
    state.predictEnd()
    let text = (error as? Realm.Error)?.message ?? "\(error)"
    guard let expected = state.expectedFailure, text.contains(expected) else {
      throw ProgramRunner.Mismatch(
        "fails with '\(text)', not \(state.expectedFailure ?? "at all")")
    }
  }

  private func read(
    _ model: inout ModelFile, _ realm: Realm, _ folder: TestFolder, _ types: [ObjectBase.Type]
  ) throws {
    var rows: [Int64] = []
    for type in types where type is EmbeddedObject.Type {
      let identity = try ClassInfo.of(type).objectSchema.identityColumn
      rows = try folder.sql {
        try Int64.fetchAll($0, sql: "SELECT \"\(identity)\" FROM \"\(type.className())\"")
      }
    }
    try model.read(realm, types, embeddedRows: rows)
  }

  // MARK: Shortening

  /// The shortest chain that still fails, as far as leaving out one thing at a time finds it.
  func shortened(_ failure: Failure) -> Failure {
    var best = failure
    best.chain.stages.removeSubrange((failure.stage + 1)...)
    var isShorter = true
    while isShorter {
      isShorter = false
      for candidate in best.chain.shorter {
        var chain = candidate
        do {
          try chain.run()
        } catch let failure as Failure {
          best = failure
          isShorter = true
          break
        } catch {
          continue
        }
      }
    }
    return best
  }

  private var shorter: [RandomChain] {
    var chains: [RandomChain] = []
    for number in stages.indices where stages.count > 2 {
      var chain = self
      chain.stages.remove(at: number)
      chains.append(chain)
    }
    for number in stages.indices {
      for program in stages[number].program?.shorter ?? [] {
        var chain = self
        chain.stages[number].program = program
        chains.append(chain)
      }
      for (name, count) in stages[number].rows where count > 0 {
        for smaller in Set([0, count / 2, count - 1]).sorted() {
          var chain = self
          chain.stages[number].rows[name] = smaller
          chains.append(chain)
        }
      }
    }
    return chains
  }
}

/// The state of a stage's block, which runs during the opening.
private final class BlockState: @unchecked Sendable {
  private(set) var model: ModelMigration
  private(set) var mismatch: ProgramRunner.Mismatch?
  private(set) var expectedFailure: String?

  private(set) var program: MigrationProgram?

  init(_ model: ModelMigration, _ program: MigrationProgram?) {
    self.model = model
    self.program = program
  }

  func run(_ migration: Migration, _ makeProgram: () -> MigrationProgram) throws {
    let program = program ?? makeProgram()
    self.program = program
    let runner = ProgramRunner(migration, model)
    defer {
      model = runner.model
      expectedFailure = runner.expectedFailure
    }
    do {
      try runner.run(program)
    } catch let error as ProgramRunner.Mismatch {
      mismatch = error
      throw error
    }
  }

  func finish() throws {
    do {
      try model.finish()
    } catch let failure as ModelMigration.Failure {
      throw ProgramRunner.Mismatch("should have failed with '\(failure.text)'")
    }
  }

  /// Predicts the end of the migration, if the block hasn't failed.
  func predictEnd() {
    guard expectedFailure == nil else { return }
    do {
      try model.finish()
    } catch let failure as ModelMigration.Failure {
      expectedFailure = failure.text
    } catch {}
  }
}
