import EventLog
import FingerprintBuilder
import JSON
import Locator
import LogViews
import Postgres
import ServiceHost
import ServiceRuntime
import SiteEditor

extension Command {
    /// Makes a view again from the log and replaces the served one.
    public static let rebuild = Command(
        name: "rebuild", summary: "make a view again from the records that the log still holds",
        help: """
            whereabouts rebuild VIEW

              VIEW  \(views.keys.sorted().joined(separator: " | "))

            Writes the view into a second schema until it has caught up with the log, and then
            replaces the served view in one transaction. The services may run meanwhile. Uses the
            same settings as the services.
            """,
        run: { try await rebuild($0) })

    static let views: [String: @Sendable (Host) -> any View] = [
        "positions": { LocatorDefinition.view($0) },
        "visits": { LocatorDefinition.visitsView($0) },
        "smoothed": { LocatorDefinition.smoothedView($0) },
        "surveys": { FingerprintBuilderDefinition.view($0) },
        "node-hearings": { FingerprintBuilderDefinition.nodesView($0) },
        "surveyed-places": { _ in SiteEditorDefinition.surveyedPlacesView() },
    ]

    private static func rebuild(_ invocation: Invocation) async throws {
        let reader = try ArgumentReader(invocation.arguments, options: [])
        guard reader.positional.count == 1, let make = views[reader.positional[0]] else {
            let known = views.keys.sorted().joined(separator: ", ")
            throw UsageFault("rebuild takes one view: \(known)")
        }
        let host = try Host.make(
            environment: ServiceProgram.processEnvironment, service: "whereabouts rebuild",
            settings: ServiceProgram.serviceSettings)
        // This view alone looks up which devices are a site's own.
        if reader.positional[0] == "node-hearings" {
            host.sites.replace(
                with: try await Host.publishedSites(in: host.log, note: invocation.note))
        }
        let view = make(host)
        let rebuild = ViewRebuild(
            view, log: host.log, pool: host.requiredDatabase(),
            deadLetters: host.deadLetters(of: view.name, source: "/rebuild"))
        let progress = ProgressReporter(
            "rebuilding", unit: "records", total: try await rebuild.recordsAhead())
        let count = try await rebuild.run { progress.advance(by: $0) }
        progress.finish()
        await host.log.close()
        invocation.output(#"{"view":"\#(reader.positional[0])","records":\#(count)}"#)
    }
}
