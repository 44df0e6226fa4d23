import Glibc
import Locator
import ServiceHost
import ServiceRuntime

let program = ServiceProgram(
    name: LocatorDefinition.definition.name, summary: LocatorDefinition.definition.summary,
    running: [LocatorDefinition.definition])
exit(await program.run(arguments: Array(CommandLine.arguments.dropFirst())).rawValue)
