package import Foundation
import GRDB
import StrataSchema

/// A promotion of a replica to the primary, as its folder records it: the file `promoted`.
///
/// From then on the folder accepts only versions that contain the promotion, so that the former
/// primary, or a follower of it, can't bring back its file.
package struct PromotionRecord: Sendable, Hashable, Codable {
  /// The mark of the promoted file's origin: see ``FileOrigins``.
  package var mark: Int64
  package var date: Date
  /// The path of the promoted file; nil if another folder was promoted.
  package var file: String?

  package init(mark: Int64, date: Date = Date(), file: String?) {
    self.mark = mark
    self.date = date
    self.file = file
  }

  private enum Key: String, CodingKey {
    case origin, at, file
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let text = try container.decode(String.self, forKey: .origin)
    guard let mark = HistoryToken("0-\(text)")?.mark else {
      throw DecodingError.dataCorruptedError(
        forKey: .origin, in: container, debugDescription: "'\(text)' is no origin.")
    }
    self.mark = mark
    date = DateText.decode(try container.decode(String.self, forKey: .at)) ?? .distantPast
    file = try container.decodeIfPresent(String.self, forKey: .file)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(HistoryToken.text(ofMark: mark), forKey: .origin)
    try container.encode(String((DateText.encode(date) ?? "").prefix(23)), forKey: .at)
    try container.encode(file, forKey: .file)
  }
}

extension ReplicaFolder {
  /// The file with the newest promotion of which the folder knows.
  package var promotionFile: URL { url.appendingPathComponent("promoted") }

  private static let maxRecordBytes = 8_192

  /// Returns the newest promotion of which the folder knows; nil for none.
  ///
  /// - Throws: ``RealmError`` if the file can't be read: then any version may be the former
  ///   primary's.
  package func promotion() throws(RealmError) -> PromotionRecord? {
    guard let bytes = try PlainFile.contents(of: promotionFile, atMost: Self.maxRecordBytes) else {
      return nil
    }
    do {
      return try JSONDecoder().decode(PromotionRecord.self, from: Data(bytes))
    } catch {
      throw RealmError(
        .invalidDatabase,
        "The file '\(promotionFile.path)' can't be read: it names the promotion that newer versions must "
          + "contain. Delete it to accept any version.", fileURL: url, underlyingError: error)
    }
  }

  package func write(_ promotion: PromotionRecord) throws {
    try PlainFile.replace(promotionFile, with: JSONEncoder.text(of: promotion) + "\n")
  }

  /// Checks that a version contains the promotion of which the folder knows. Returns a newer
  /// promotion that the folder should know from then on.
  ///
  /// - Parameter promotions: The promotions before the contents of the version, the oldest first.
  func check(
    _ promotions: [Int64], _ known: PromotionRecord?
  ) throws(RealmError) -> PromotionRecord? {
    if let known, !promotions.contains(known.mark) {
      let promoted = known.file.map { "this replica was promoted to '\($0)'" }
      throw RealmError(
        .otherPrimary,
        "The replica '\(path)' doesn't show the file of a former primary: on "
          + "\(known.date.inSentence) UTC \(promoted ?? "another primary was followed"). Follow that "
          + "one, or delete '\(promotionFile.path)' to accept any version.", fileURL: url)
    }
    return promotions.last.flatMap {
      $0 == known?.mark ? nil : PromotionRecord(mark: $0, file: nil)
    }
  }
}

/// The decision whether the newest version of a replica may become the primary, from values alone.
package struct PromotionCheck: Sendable, Hashable {
  package var version: PublicationName
  /// The state that the follower wrote; nil if no follower writes to the folder.
  package var state: FollowerState?
  package var known: PromotionRecord?
  /// The promotions before the contents of the version.
  package var promotions: [Int64]

  package init(
    version: PublicationName, state: FollowerState?, known: PromotionRecord?, promotions: [Int64]
  ) {
    self.version = version
    self.state = state
    self.known = known
    self.promotions = promotions
  }

  /// The number of transactions of the original that the follower knows, and the version lacks; 0
  /// if unknown.
  package var missingTransactions: UInt64 {
    guard isKnown, let newest = state?.newestPosition.flatMap({ UInt64($0, radix: 16) }),
      let position = UInt64(version.base, radix: 16)
    else { return 0 }
    return newest > position ? newest - position : 0
  }

  /// Whether the follower's state describes this version.
  private var isKnown: Bool { state?.position == "\(version)" }

  /// Returns a part of the follower's state; nil if it describes another version.
  package func known<Value>(_ part: (FollowerState) -> Value?) -> Value? {
    isKnown ? state.flatMap(part) : nil
  }

  /// A reason against the promotion.
  package enum Obstacle: Sendable, Hashable {
    /// The follower knows of transactions that the version lacks.
    case behind(UInt64)
    /// The follower doesn't know the version: another source may have it, or the follower was ended
    /// a moment too early.
    case isUnknown
    /// The folder was promoted before, and shows the former primary still.
    case isPromoted(PromotionRecord)
  }

  package var obstacles: [Obstacle] {
    var obstacles: [Obstacle] = []
    if let known, !promotions.contains(known.mark) { obstacles.append(.isPromoted(known)) }
    if state != nil, !isKnown { obstacles.append(.isUnknown) }
    if missingTransactions > 0 { obstacles.append(.behind(missingTransactions)) }
    return obstacles
  }
}

extension ReplicaFolder {
  /// Makes a writable file of a version, with an origin of its own. Only for the holder of the
  /// folder's lock.
  ///
  /// The folder records the promotion when the copy is complete, and before the copy gets its name:
  /// whatever ends this process, a file with that name is one of which the folder knows.
  /// - Returns: The promotion; nil if a file of that name exists already.
  /// - Throws: ``RealmError``, a `DatabaseError`, `CancellationError`, or the error of `progress`.
  ///   The folder is as it was then, and there is no file.
  package func promote(
    _ version: PublishedFile, to file: URL, _ key: FileKey?, _ cancellation: Cancellation? = nil,
    progress: ((Double) throws -> Void)? = nil
  ) throws -> PromotionRecord? {
    let source = try Connections.openPublication(version.url, key)
    let known = try promotion()
    let promotion = PromotionRecord(mark: FileOrigins.newMark(), file: file.path)
    let schemaVersion = try source.unsafeRead { try FileState.read($0, at: version.url).version }
    guard let schemaVersion else {
      throw RealmError(
        .invalidDatabase, ErrorText.notInitialized(version.url.path), fileURL: version.url)
    }
    var isMade = false
    do {
      isMade = try source.unsafeRead { db in
        try CopyDestination.fill(file) { temporary in
          try DatabaseCopy.make(
            of: db, at: temporary, like: nil, .init(key), .check, cancellation, progress: progress)
          try DatabaseCopy.recordRestoration(
            .promoted, mark: promotion.mark, schemaVersion, of: temporary, key)
          try PlainFile.synchronize(temporary)
          try write(promotion)
        }
      }
    } catch {
      // The first error is the cause of a later one.
      _ = Result { try reset(known) }
      throw error
    }
    if !isMade { try reset(known) }
    return isMade ? promotion : nil
  }

  private func reset(_ promotion: PromotionRecord?) throws {
    if let promotion { try write(promotion) } else { unlink(promotionFile.path) }
  }
}
