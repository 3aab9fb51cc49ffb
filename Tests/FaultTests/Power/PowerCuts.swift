#if os(Linux)
  import Foundation
  import Synchronization
  import TestKit

  /// Power cuts at any moment of a job that was recorded.
  struct PowerCuts {
    private let job: String
    /// The disk when the job begins.
    private let start: Disk
    private var events: ArraySlice<DiskEvent>
    private let root: DiskEvent.Inode
    /// The files when the job has ended, and everything is on the disk.
    let end: Folder

    /// The files that a power cut left, and what the program had promised before it.
    struct Remains {
      var folder: Folder
      var marks: [String]
      var synchronizedMarks: Int
      var isDone: Bool { marks.last == "done" }
    }

    /// Does the job once, in a folder that is prepared for it.
    init(_ job: String, in end: Folder) throws {
      let place = try Folder()
      let recording = place.url.appendingPathComponent("recording")
      let ending = try Worker.run(job, end, ["record=\(recording.path)"])
      guard ending.events != nil else { throw Scenario.Unexpected(ending: ending) }
      let events = try DiskEvent.read(Data(contentsOf: recording))
      let begin = events.firstIndex { if case .mark("begins") = $0 { true } else { false } } ?? 0
      guard case .makeFolder(_, let root)? = events.first else { throw Wrong("nothing recorded") }
      self.root = root
      var start = Disk()
      for event in events[..<begin] { try start.apply(event) }
      (self.job, self.start, self.events, self.end) = (job, start, events[(begin + 1)...], end)
    }

    /// The same job of a program that never waits for a folder.
    var withoutFolderSyncs: PowerCuts {
      var copy = self
      copy.events =
        events.filter {
          guard case .synchronize(let inode) = $0 else { return true }
          return !folders.contains(inode)
        }[...]
      return copy
    }

    private var folders: Set<DiskEvent.Inode> {
      Set(
        events.compactMap { if case .makeFolder(_, let inode) = $0 { inode } else { nil } } + [root]
      )
    }

    /// Tries cuts that are the same each time for the same recording.
    ///
    /// - Parameter judge: Looks at what is left. Equal remains with equal promises are judged once.
    func tryAll(
      _ count: Int, sample: Int, _ judge: @Sendable (Remains) throws -> Void
    ) throws {
      let points = Extent.current.points(count, sample: sample)
      var disks: [Int: Disk] = [:]
      var randoms = [Int: SplitMix64]()
      var places: [Int: [Int]] = [:]
      for point in points {
        var random = SplitMix64(seed: UInt64(point))
        places[Int.random(in: 0...events.count, using: &random), default: []].append(point)
        randoms[point] = random
      }
      let known = Mutex<Set<Int>>([])
      var disk = start
      for place in 0...events.count {
        for point in places[place] ?? [] { disks[point] = disk }
        if place < events.count { try disk.apply(events[events.startIndex + place]) }
      }
      let (whole, seeds) = (disks, randoms)
      let seen = Sweep.run(points, { "'\(job)', power cut \($0)" }) { point in
        guard let disk = whole[point], var random = seeds[point] else { return false }
        let files = disk.cut(&random)
        let isNew = known.withLock {
          $0.insert(Self.hash(files, disk)).inserted
        }
        guard isNew else { return false }
        try judge(
          Remains(
            folder: Folder(files.mapValues { Data($0) }), marks: disk.marks,
            synchronizedMarks: disk.synchronizedMarks))
        return true
      }
      print(
        "\(job): \(points.count) power cuts at \(events.count) changes of the disk, "
          + "\(seen.count { $0 }) of them different")
    }

    private static func hash(_ files: [String: [UInt8]], _ disk: Disk) -> Int {
      var hasher = Hasher()
      // The index of the WAL is made again by the first opening of the file.
      for (name, bytes) in files.sorted(by: { $0.key < $1.key }) where !name.hasSuffix("-shm") {
        hasher.combine(name)
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
      }
      hasher.combine(disk.marks.count)
      hasher.combine(disk.synchronizedMarks)
      return hasher.finalize()
    }
  }

  /// Processes that do a job again and again, each time with another file.
  final class JobServers: Sendable {
    private let job: String
    private let folder: Folder
    private let idle = Mutex<[Worker]>([])

    init(_ job: String) throws {
      self.job = job
      folder = try Folder()
    }

    /// - Throws: ``Wrong`` with the error of the job.
    func run(_ file: URL) throws {
      let worker = try idle.withLock { $0.popLast() } ?? Worker("serve", job, folder)
      worker.say(file.path)
      guard let answer = worker.line() else { throw Wrong("the next process: \(worker.ending())") }
      idle.withLock { $0.append(worker) }
      guard answer == "done" else { throw Wrong("the next process says \(answer)") }
    }

    deinit { for worker in idle.withLock({ $0 }) { _ = worker.ending() } }
  }
#endif
