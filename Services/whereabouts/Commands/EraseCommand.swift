import EventLog
import Events
import HTTPClient
import JSON
import ServiceHost
import ServiceRuntime
import SiteEditor

extension Command {
    /// Erases a device, and rewrites the files that held its name.
    public static let erase = Command(
        name: "erase", summary: "erase all that is kept of a device",
        help: """
            whereabouts erase DEVICE --site ID
            whereabouts erase --rewrite

              DEVICE     the id of the device, as positions show it
              --rewrite  rewrite the tables of names, views and log, so that no file of
                         PostgreSQL holds the bytes of what was deleted. Locks each table while
                         it is copied: some seconds, and minutes for a log of many GB. It gives
                         up where a backup reads a table

            The first form waits until every service is done. It needs WHEREABOUTS_URL and
            WHEREABOUTS_TOKEN, the token of an administrator. The second needs DATABASE_URL of
            a superuser. docs/privacy.md says what stays until when.
            """,
        run: { try await erase($0) })

    private static func erase(_ invocation: Invocation) async throws {
        let reader = try ArgumentReader(
            invocation.arguments, options: ["--site"], flags: ["--rewrite"])
        if reader.has("--rewrite") {
            guard reader.positional.isEmpty, reader.last("--site") == nil else {
                throw UsageFault("erase --rewrite takes no device: erase it first")
            }
            return try await rewrite(invocation)
        }
        guard reader.positional.count == 1, let site = try reader.site("--site") else {
            throw UsageFault("erase needs DEVICE and --site ID")
        }
        guard let device = DeviceID(validating: reader.positional[0]) else {
            throw UsageFault("\(reader.positional[0]) is no device's id")
        }
        let services = try ServiceClient()
        defer { services.client.close() }
        try await erase(device, at: site, services, invocation)
    }

    /// Asks for the erasure, and waits for it.
    private static func erase(
        _ device: DeviceID, at site: SiteID, _ services: ServiceClient, _ invocation: Invocation
    ) async throws {
        // Before the erasure, which must not wait for a report that can't be made.
        let isUnknown = (try? await isUnknown(device, at: site, services)) == true
        let asked = try await services.send(
            "DELETE", "site-editor", "/v1/sites/\(site)/devices/\(device)")
        // A site that is not there was refused, and nothing is erased.
        if isUnknown {
            invocation.note(
                "No service has rows of \(device) at \(site): is the id right? What the log still "
                    + "holds of it is erased all the same.")
        }
        guard let place = asked.headers["location"] else {
            throw CommandFault("the server did not say where the erasure can be followed")
        }
        let deadline = ContinuousClock.now + patience
        while true {
            let answer = try await services.call("GET", "site-editor", place)
            let isDone = try JSONParser.read(answer) { $0.object?["done"]?.bool ?? false }
            if isDone || ContinuousClock.now >= deadline {
                invocation.output(String(decoding: answer, as: UTF8.self))
                let until = try JSONParser.read(answer) { $0.object?["onLogUntil"]?.string }
                if let until {
                    invocation.note(
                        "Kafka can't remove single records: it holds the id \(device), which "
                            + "people chose, until \(until)")
                }
                guard isDone else {
                    throw CommandFault(
                        "not every service is done; ask again later: GET \(place)")
                }
                return
            }
            try await Task.sleep(for: .seconds(1))
        }
    }

    /// Whether all services have answered that they have no rows of the device.
    private static func isUnknown(
        _ device: DeviceID, at site: SiteID, _ services: ServiceClient
    ) async throws -> Bool {
        let report = try await services.call(
            "GET", "site-editor", "/v1/sites/\(site)/devices/\(device)/report", patience: .zero)
        return try JSONParser.read(report) { root in
            guard let report = root.object, report["complete"]?.bool == true,
                let services = report["services"]?.array
            else { return false }
            for service in services {
                guard let kept = service.object?["kept"]?.array else { return false }
                for data in kept where data.object?["rows"]?.int ?? 0 > 0 { return false }
            }
            return true
        }
    }

    /// How long the command waits for the services.
    private static let patience = Duration.seconds(120)

    private static func rewrite(_ invocation: Invocation) async throws {
        let host = try Host.make(
            environment: ServiceProgram.processEnvironment, service: "whereabouts erase",
            settings: ServiceProgram.serviceSettings)
        let kept = try await NamesRewriting(host.requiredDatabase())
            .run { invocation.note($0) }
        await host.log.close()
        for reason in kept {
            invocation.note("the write-ahead log of before may still be in \(reason)")
        }
        invocation.output(#"{"rewritten":true,"writeAheadLogKept":\#(!kept.isEmpty)}"#)
    }
}
