import Glibc
import Router
import ServiceHost
import ServiceRuntime

let program = ServiceProgram(
    name: RouterDefinition.definition.name, summary: RouterDefinition.definition.summary,
    running: [RouterDefinition.definition])
exit(await program.run(arguments: Array(CommandLine.arguments.dropFirst())).rawValue)
