#if os(Linux)
  import Foundation

  /// A terminal without a screen, for the error output of a program.
  struct Terminal {
    private let master: Int32
    private let slave: String

    struct NoTerminal: Error {}

    init() throws {
      master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
      var isLocked: Int32 = 0
      var number: UInt32 = 0
      guard master >= 0, ioctl(master, Self.setLock, &isLocked) == 0,
        ioctl(master, Self.getNumber, &number) == 0
      else { throw NoTerminal() }
      slave = "/dev/pts/\(number)"
    }

    /// `TIOCSPTLCK` and `TIOCGPTN`, which are macros that Swift doesn't see.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    /// The error output of a command.
    func errors(of arguments: [String], in folder: CommandFolder) throws -> String {
      defer { close(master) }
      guard let errors = FileHandle(forWritingAtPath: slave) else { throw NoTerminal() }
      let process = Tool.process(arguments, in: folder, errors: errors)
      try process.run()
      process.waitUntilExit()
      // Behind everything that the command wrote, so that reading ends.
      errors.write(Data("\n".utf8))
      var bytes: [UInt8] = []
      var byte: UInt8 = 0
      while read(master, &byte, 1) == 1, byte != 0x0A { bytes.append(byte) }
      try errors.close()
      // A terminal writes a line break as two characters.
      return String(decoding: bytes.last == 0x0D ? bytes.dropLast() : bytes[...], as: UTF8.self)
    }
  }
#endif
