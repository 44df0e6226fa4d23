import Glibc
import ServiceHost
import ServiceRuntime
import SiteEditor

let program = ServiceProgram(
    name: SiteEditorDefinition.definition.name, summary: SiteEditorDefinition.definition.summary,
    running: [SiteEditorDefinition.definition])
exit(await program.run(arguments: Array(CommandLine.arguments.dropFirst())).rawValue)
