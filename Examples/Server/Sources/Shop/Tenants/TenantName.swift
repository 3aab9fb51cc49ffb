/// A name that is safe as a file name: lower-case letters, digits and hyphens.
///
/// Nothing else that a client sends becomes a part of a path.
struct TenantName: Hashable, Sendable, CustomStringConvertible {
  let description: String

  init(_ text: some StringProtocol) throws(ShopError) {
    let isAllowed = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"):
        true
      default: false
      }
    }
    guard isAllowed, 1...40 ~= text.utf8.count, text.first != "-" else {
      throw ShopError(
        .badRequest, "tenant_name",
        "The name of a tenant has 1 to 40 small letters, digits and hyphens, and begins with no "
          + "hyphen.")
    }
    description = String(text)
  }
}
