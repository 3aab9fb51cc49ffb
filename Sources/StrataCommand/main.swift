import ArgumentParser

RootCommand.main()
