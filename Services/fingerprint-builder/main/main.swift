import FingerprintBuilder
import Glibc
import ServiceHost
import ServiceRuntime

let program = ServiceProgram(
    name: FingerprintBuilderDefinition.definition.name,
    summary: FingerprintBuilderDefinition.definition.summary,
    running: [FingerprintBuilderDefinition.definition])
exit(await program.run(arguments: Array(CommandLine.arguments.dropFirst())).rawValue)
