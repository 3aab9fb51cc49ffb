/// The first bytes of a file: its format, and the position of its newest version.
struct FileHeader {
  static let size = FileBytes.headerSize
  private static let footerSize = 16
  private static let footerMark: UInt64 = 0x3034_1252_37E5_26C8

  /// The readable formats. 0 is the format of a file that was never written to.
  static let formats: Set<Int> = [10, 11, 20, 21, 22, 23, 24]

  let format: Int
  /// The ref of the newest version; nil for a file that was never written to.
  let top: Int?

  init(_ bytes: FileBytes) throws(RealmFileError) {
    guard bytes.count >= Self.size else { throw .truncated("\(bytes.count) bytes are no header") }
    let start = try bytes.pointer(to: 0, count: Self.size)
    guard Self.hasMark(UnsafeRawBufferPointer(start: start, count: Self.size)) else {
      throw Self.notRealmFile
    }
    guard bytes.count % 8 == 0 else {
      throw .truncated("\(bytes.count) bytes are no multiple of 8")
    }
    let slot = Int(start.load(fromByteOffset: 23, as: UInt8.self) & 1)
    let slotRef = UInt64(littleEndian: start.load(fromByteOffset: 8 * slot, as: UInt64.self))
    let format = Int(start.load(fromByteOffset: 20 + slot, as: UInt8.self))
    let ref =
      slot == 0 && slotRef == .max ? try Self.footer(bytes) : slotRef
    self.format = format
    guard ref != 0 else {
      guard format == 0 || Self.formats.contains(format) else { throw Self.unreadable(format) }
      top = nil
      return
    }
    guard Self.formats.contains(format) else { throw Self.unreadable(format) }
    guard let top = Int(exactly: ref), top % 8 == 0 else {
      throw .damaged("its newest version begins nowhere", at: 8 * slot)
    }
    guard top <= bytes.count - Node.headerSize else {
      throw .truncated("its newest version begins at byte \(top) of \(bytes.count)")
    }
    self.top = top
  }

  /// Whether bytes are the start of an unencrypted file.
  static func hasMark(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= size && bytes[16..<20].elementsEqual("T-DB".utf8)
  }

  /// Returns the top ref of a file that Realm wrote as a stream, which is at its end.
  private static func footer(_ bytes: FileBytes) throws(RealmFileError) -> UInt64 {
    guard bytes.count >= size + footerSize else {
      throw .truncated("its last 16 bytes are missing")
    }
    let start = try bytes.pointer(to: bytes.count - footerSize, count: footerSize)
    guard UInt64(littleEndian: start.load(fromByteOffset: 8, as: UInt64.self)) == footerMark else {
      throw .truncated("it doesn't end as a copy that Realm made")
    }
    return UInt64(littleEndian: start.load(as: UInt64.self))
  }

  static let notRealmFile = RealmFileError(
    .notRealmFile, "The file is no '.realm' file",
    repair: "Give the path of a file that Realm wrote, which usually ends with '.realm'.")

  private static func unreadable(_ format: Int) -> RealmFileError {
    format < 10
      ? RealmFileError(
        .olderFormat,
        "The file has format \(format), and formats from 10 on can be read",
        repair:
          "Open a copy once with a program that uses RealmSwift 5.0 to 10.48, which changes it to a "
          + "newer format, and read that copy.")
      : RealmFileError(
        .newerFormat,
        "The file has format \(format), which this version doesn't know",
        repair: "Update this library, or export the file with the program that wrote it.")
  }
}
