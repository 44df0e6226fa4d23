import Glibc
import ScanIngest
import ServiceHost
import ServiceRuntime

let program = ServiceProgram(
    name: ScanIngestDefinition.definition.name, summary: ScanIngestDefinition.definition.summary,
    running: [ScanIngestDefinition.definition])
exit(await program.run(arguments: Array(CommandLine.arguments.dropFirst())).rawValue)
