#if SCHEMA_1
  import ShopBefore
#else
  import Shop
#endif

@main struct Main {
  static func main() async { await ShopCommand.main() }
}
