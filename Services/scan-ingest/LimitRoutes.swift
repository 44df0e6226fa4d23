import HTTP
import ServiceHost
import Wire

/// GET /v1/limits: the caller's quota, and how much of it is left.
struct LimitRoutes: Sendable {
    let settings: ScanIngestSettings

    func limits(_ request: HTTPRequest) -> HTTPResponse {
        let quota = request.principal?.sendingQuota
        let left = quota.flatMap { request.allowance?.left(of: $0) }
        let limits = SendingLimits(
            requestsPerSecond: settings.requestsPerSecond, requestBurst: settings.requestBurst,
            records: quota.map {
                .init(perSecond: $0.recordsPerSecond, burst: $0.burst, left: left?.records)
            },
            bytes: quota.map {
                .init(perSecond: $0.bytesPerSecond, burst: $0.burstBytes, left: left?.bytes)
            })
        var response = HTTPResponse.json(limits.json)
        response.headers.append(("cache-control", "no-store"))
        response.headers += left?.headers ?? []
        return response
    }
}
