import Foundation

/// A machine of its own, as far as its network goes: a network namespace with a cable to this one.
final class Namespace {
  let name: String
  private let cable: String
  /// The address of this machine at the other end of the cable.
  let hostAddress: String

  /// Whether namespaces can be made here: on Linux, by root, with the program `ip`.
  static let areAvailable: Bool = {
    guard geteuid() == 0 else { return false }
    do { return try Namespace(250).name.isEmpty == false } catch { return false }
  }()

  init(_ number: Int) throws {
    name = "strata-\(getpid())-\(number)"
    // At most fifteen letters.
    cable = "st\(getpid() % 1_000_000)n\(number)"
    hostAddress = "10.213.\(number).1"
    try Self.require("netns", "add", name)
    try Self.require("link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", name)
    try Self.require("addr", "add", "\(hostAddress)/24", "dev", cable)
    try Self.require("link", "set", cable, "up")
    try Self.require("-n", name, "addr", "add", "10.213.\(number).2/24", "dev", "eth0")
    try Self.require("-n", name, "link", "set", "eth0", "up")
  }

  deinit {
    do { try Self.require("netns", "delete", name) } catch { print(error) }
  }

  /// The program and the first arguments of a process that runs there.
  var command: [String] { [Self.program, "netns", "exec", name] }

  /// Cuts the cable: whatever is sent is lost, without an error.
  func cut() throws { try Self.require("link", "set", cable, "down") }

  func mend() throws { try Self.require("link", "set", cable, "up") }

  private static let program = "/sbin/ip"

  private static func require(_ arguments: String...) throws {
    guard try run(arguments) else { throw Wrong("ip \(arguments.joined(separator: " ")) fails") }
  }

  private static func run(_ arguments: [String]) throws -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}

extension Process {
  /// Sets the program, on this machine or on another one.
  func execute(_ program: URL?, _ arguments: [String], on machine: Namespace?) {
    let command = (machine?.command ?? []) + [program?.path ?? ""] + arguments
    executableURL = URL(fileURLWithPath: command[0])
    self.arguments = Array(command.dropFirst())
  }
}
