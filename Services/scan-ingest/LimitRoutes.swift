import HTTP
import JSON
import ServiceHost
import ServiceRuntime

/// GET /v1/limits: what the caller may send, and what is left of it.
struct LimitRoutes: Sendable {
    let settings: ScanIngestSettings

    func limits(_ request: HTTPRequest) -> HTTPResponse {
        var writer = JSONWriter()
        writer.beginObject()
        let requests = settings.requestsPerSecond
        writer.name("requests")
        writer.beginObject()
        writer.field("perSecond", requests == 0 ? nil : requests)
        writer.field("burst", settings.requestBurst)
        writer.endObject()
        let quota = request.principal?.sendingQuota
        let left = quota.flatMap { request.allowance?.left(of: $0) }
        if let quota {
            Self.write(
                "records", quota.recordsPerSecond, quota.burst, left?.records, to: &writer)
            Self.write("bytes", quota.bytesPerSecond, quota.burstBytes, left?.bytes, to: &writer)
        }
        writer.endObject()
        var response = HTTPResponse.json(writer.finish())
        response.headers.append(("cache-control", "no-store"))
        response.headers += left?.headers ?? []
        return response
    }

    private static func write(
        _ name: StaticString, _ perSecond: Double, _ burst: Double, _ left: Int?,
        to writer: inout JSONWriter
    ) {
        writer.name(name)
        writer.beginObject()
        writer.field("perSecond", perSecond)
        writer.field("burst", Int(burst))
        writer.field("left", left)
        writer.endObject()
    }
}
