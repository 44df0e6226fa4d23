import FingerprintBuilder
import Locator
import Router
import ScanIngest
import ServiceHost
public import ServiceRuntime
import SiteEditor

extension ServiceProgram {
    /// All services in one process, on one port.
    public static let serve = ServiceProgram(
        name: "whereabouts", summary: "all services in one process, on one port",
        running: [
            SiteEditorDefinition.definition, FingerprintBuilderDefinition.definition,
            ScanIngestDefinition.definition, LocatorDefinition.definition,
            RouterDefinition.definition,
        ])
}

extension Command {
    /// Runs all services in one process.
    public static let serve = Command(
        name: "serve", summary: "run all services in one process",
        help: ServiceProgram.serve.helpText,
        run: { invocation in
            let code = await ServiceProgram.serve.run(arguments: invocation.arguments)
            if code != .success { throw ServiceEnded(code: code) }
        })
}

/// The services said themselves why they ended; only the exit status is left to tell.
public struct ServiceEnded: Error, CustomStringConvertible {
    public let code: ExitCode
    public var description: String { "serve ended" }
}
