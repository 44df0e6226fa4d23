import Archive
import Events
import HTTPClient
import JSON

/// One run of `export positions`: all pages of `GET /v1/positions` as one file.
struct PositionExport {
    static let name = "positions"
    /// The number of positions per page, which is the locator's maximum.
    private static let pageSize = 10_000

    private let invocation: Invocation
    private let services: ServiceClient
    private let output: String
    private let isTable: Bool
    private let query: String

    init(_ invocation: Invocation, _ services: ServiceClient? = nil) throws {
        let reader = try ArgumentReader(
            invocation.arguments,
            options: ["--site", "--since", "--until", "--device", "--format", "--output"])
        guard reader.positional == [Self.name], let site = try reader.site("--site") else {
            throw UsageFault("export positions needs --site ID")
        }
        guard let output = reader.last("--output") else {
            throw UsageFault("export needs --output FILE")
        }
        let isNamedTable = [".csv", ".csv.gz"].contains { output.lowercased().hasSuffix($0) }
        let format = reader.last("--format") ?? (isNamedTable ? "csv" : "ndjson")
        guard ["ndjson", "csv"].contains(format) else {
            throw UsageFault("--format is ndjson or csv, not \(format)")
        }
        var query = "site=\(site)&limit=\(Self.pageSize)"
        for (option, parameter) in [
            ("--since", "from"), ("--until", "until"), ("--device", "device"),
        ] {
            if let value = reader.last(option) { query += "&\(parameter)=\(inQuery(value))" }
        }
        self.invocation = invocation
        self.output = output
        self.query = query
        isTable = format == "csv"
        self.services = try services ?? ServiceClient()
    }

    func run() async throws {
        defer { services.client.close() }
        let file = try GzipWriter(path: output)
        let progress = ProgressReporter("exporting", unit: "positions", total: nil)
        var count = 0
        var cursor: String?
        repeat {
            let after = cursor.map { "&after=\(inQuery($0))" } ?? ""
            let answer = try await services.send(
                "GET", "locator", "/v1/positions?\(query)\(after)",
                headers: [("accept", isTable ? "text/csv" : "application/x-ndjson")])
            var lines = answer.body.split(whereSeparator: { $0 == 10 || $0 == 13 })[...]
            // Each page of CSV begins with a line of headings: keep only the first.
            if isTable, let heading = lines.popFirst(), cursor == nil {
                try file.writeLine(Array(heading))
            }
            for line in lines { try file.writeLine(Array(line)) }
            count += lines.count
            progress.advance(by: lines.count)
            cursor = answer.headers["whereabouts-next"]
        } while cursor != nil
        try file.close()
        progress.finish()
        var line = JSONWriter()
        line.beginObject()
        line.field("positions", count)
        line.field("output", output)
        line.endObject()
        invocation.output(line.finishText())
    }
}
